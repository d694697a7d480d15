/**
 * Sends the newest of many: while something is under way, only the last that was pushed waits.
 *
 * A hand moves faster than a server answers. Whatever it did in between does not matter, but where it
 * ended does, so the last push is always sent.
 */
export class NewestOnly<T> {
  private busy = false;
  private next: { value: T } | null = null;
  private idle: (() => void)[] = [];

  constructor(
    private readonly send: (value: T) => Promise<unknown>,
    private readonly failed: (error: unknown) => void = () => {},
  ) {}

  push(value: T): void {
    this.next = { value };
    if (!this.busy) void this.run();
  }

  /** Kept once nothing is under way and nothing waits. */
  settled(): Promise<void> {
    return this.busy ? new Promise((resolve) => this.idle.push(resolve)) : Promise.resolve();
  }

  private async run(): Promise<void> {
    this.busy = true;
    while (this.next) {
      const { value } = this.next;
      this.next = null;
      try {
        await this.send(value);
      } catch (error) {
        this.failed(error);
      }
    }
    this.busy = false;
    for (const resolve of this.idle.splice(0)) resolve();
  }
}
