/** A value that tells those who care when it changes. All of the page's state is made of these. */
export interface Signal<T> {
  readonly value: T;
  set(value: T): void;
  /** Calls `listener` now and after every change; the result stops that. */
  watch(listener: (value: T) => void): () => void;
  /** Calls `listener` after every change, but not now. */
  onChange(listener: (value: T) => void): () => void;
}

export function signal<T>(initial: T): Signal<T> {
  let value = initial;
  const listeners = new Set<(value: T) => void>();
  return {
    get value() {
      return value;
    },
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener(value);
    },
    watch(listener) {
      listener(value);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
