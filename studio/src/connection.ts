/**
 * The line to the server: requests with replies, events, and frames.
 *
 * A lost line is taken up again by itself, after pauses that grow. Requests that were under way when it
 * broke fail with words; nothing is sent twice.
 */
import { decodeBodies, decodeCast, decodeRoles, type BodyMoment, type Cast, type Roles } from "./bodies.ts";
import { decodeFrame, type Frame } from "./frame.ts";
import { BINARY_KIND, PROTOCOL, type HelloEvent, type Refusal, type Replies, type Requests, type Response, type SceneMistake, type ServerEvent } from "./protocol.ts";
import { signal, type Signal } from "./model/signal.ts";

export type ConnectionStatus =
  | { kind: "connecting" }
  | { kind: "open"; server: string }
  | { kind: "lost"; attempt: number; retryAt: number }
  | { kind: "refused"; reason: string };

/** A request that the server refused, or that could not be sent. */
export class RequestError extends Error {
  readonly help: string | undefined;
  readonly mistakes: SceneMistake[];
  /** How many mistakes there are beyond those. */
  readonly more: number;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.help = refusal.help ?? undefined;
    this.mistakes = refusal.errors ?? [];
    this.more = refusal.more ?? 0;
  }
}

export type RequestName = keyof Requests;
/** The keys of a request: may be left out if none is required. */
export type Keys<K extends RequestName> = Record<string, never> extends Requests[K] ? [keys?: Requests[K]] : [keys: Requests[K]];

/** What the connection needs of a WebSocket; tests bring their own. */
export interface Socket {
  binaryType: string;
  readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string | Uint8Array): void;
  close(): void;
}

export interface ConnectionOptions {
  url: string;
  rate?: number;
  openSocket?: (url: string) => Socket;
  now?: () => number;
  later?: (call: () => void, milliseconds: number) => unknown;
}

/** The close code of a server that speaks another version. */
const OTHER_VERSION = 4001;
const OPEN = 1;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: RequestError): void;
}

export class Connection {
  readonly status: Signal<ConnectionStatus> = signal<ConnectionStatus>({ kind: "connecting" });
  onEvent: (event: ServerEvent) => void = () => {};
  onFrame: (frame: Frame) => void = () => {};
  onCast: (cast: Cast) => void = () => {};
  onRoles: (roles: Roles) => void = () => {};
  onBodies: (moments: BodyMoment[], bytes: number) => void = () => {};
  /** Told of messages that make no sense; they are passed over. */
  onTrouble: (words: string) => void = () => {};

  /** The run of the server that answered last; 0 before any has. */
  run = 0;
  private socket: Socket | null = null;
  private cast: Cast | null = null;
  private nextId = 1;
  private readonly waiting = new Map<number, Waiting>();
  private attempt = 0;
  private rate: number;
  private readonly openSocket: (url: string) => Socket;
  private readonly now: () => number;
  private readonly later: (call: () => void, milliseconds: number) => unknown;

  constructor(private readonly options: ConnectionOptions) {
    this.rate = options.rate ?? 30;
    this.openSocket = options.openSocket ?? ((url) => new WebSocket(url) as unknown as Socket);
    this.now = options.now ?? (() => Date.now());
    this.later = options.later ?? ((call, milliseconds) => setTimeout(call, milliseconds));
  }

  open(): void {
    let socket: Socket;
    try {
      socket = this.openSocket(this.options.url);
    } catch (error) {
      this.onTrouble(String(error));
      this.retry();
      return;
    }
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onmessage = (message) => this.receive(socket, message.data);
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.failWaiting("the connection to the server was lost");
      if (this.status.value.kind === "refused") return;
      if (event.code === OTHER_VERSION) this.refuse(event.reason || "The server speaks another version of the protocol.");
      else this.retry();
    };
  }

  /** Tries at once instead of at the end of the pause. */
  retryNow(): void {
    if (this.status.value.kind === "lost" && !this.socket) this.open();
  }

  /** Sends a request. The promise is kept by the reply, or broken with a `RequestError`. */
  request<K extends RequestName>(action: K, ...[keys]: Keys<K>): Promise<Replies[K]> {
    if (!this.socket || this.socket.readyState !== OPEN || this.status.value.kind !== "open") {
      return Promise.reject(new RequestError({ message: "there is no connection to the server" }));
    }
    return this.send(action, keys);
  }

  setRate(rate: number): void {
    if (rate === this.rate) return;
    this.rate = rate;
    if (this.status.value.kind === "open") this.send("rate", { rate }).catch(() => {});
  }

  private send<K extends RequestName>(action: K, keys?: Requests[K]): Promise<Replies[K]> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.socket!.send(JSON.stringify({ id, do: action, ...keys }));
    });
  }

  private receive(socket: Socket, data: unknown): void {
    if (socket !== this.socket) return;
    try {
      if (typeof data === "string") this.receiveText(data);
      else if (data instanceof ArrayBuffer) this.receiveBinary(data);
    } catch (error) {
      this.onTrouble(error instanceof Error ? error.message : String(error));
    }
  }

  private receiveText(text: string): void {
    const message = JSON.parse(text) as ServerEvent | Response;
    if ("re" in message) {
      const waiting = this.waiting.get(message.re);
      this.waiting.delete(message.re);
      if ("error" in message) waiting?.reject(new RequestError(message.error));
      else waiting?.resolve(message.ok);
    } else if (message.event === "hello") {
      this.greet(message);
    } else {
      this.onEvent(message);
    }
  }

  private greet(hello: HelloEvent): void {
    this.send("hello", { protocol: PROTOCOL, rate: this.rate }).catch((error: RequestError) => {
      // The server has answered that it will not talk to us: trying again would not change that.
      if (hello.protocol !== PROTOCOL) this.refuse(error.message);
      else this.onTrouble(error.message);
    });
    if (hello.protocol === PROTOCOL) {
      this.attempt = 0;
      this.run = hello.run;
      this.status.set({ kind: "open", server: hello.server });
    }
  }

  private receiveBinary(data: ArrayBuffer): void {
    const kind = new Uint8Array(data)[0];
    if (kind === BINARY_KIND.cast) this.receiveCast(data);
    else if (kind === BINARY_KIND.roles) this.receiveRoles(data);
    else if (kind === BINARY_KIND.poses) this.receiveBodies(data);
    else this.receiveFrame(data);
  }

  private receiveCast(data: ArrayBuffer): void {
    const decoded = decodeCast(data);
    if ("error" in decoded) return this.onTrouble(decoded.error);
    this.cast = decoded.cast;
    this.onCast(decoded.cast);
  }

  private receiveRoles(data: ArrayBuffer): void {
    const decoded = this.cast ? decodeRoles(data, this.cast) : { error: "roles before their cast" };
    if ("roles" in decoded) this.onRoles(decoded.roles);
    else this.onTrouble(decoded.error);
  }

  private receiveBodies(data: ArrayBuffer): void {
    try {
      const decoded = this.cast ? decodeBodies(data, this.cast) : { error: "bodies before their cast" };
      if ("moments" in decoded) this.onBodies(decoded.moments, data.byteLength);
      else this.onTrouble(decoded.error);
    } finally {
      this.socket?.send(new Uint8Array([BINARY_KIND.posesSeen]));
    }
  }

  private receiveFrame(data: ArrayBuffer): void {
    const decoded = decodeFrame(data);
    try {
      if ("frame" in decoded) this.onFrame(decoded.frame);
      else this.onTrouble(decoded.error);
    } finally {
      // Also of a frame that could not be used: the server would wait for ever.
      this.socket?.send(new Uint8Array([BINARY_KIND.frameSeen]));
    }
  }

  private refuse(reason: string): void {
    this.status.set({ kind: "refused", reason });
    this.socket?.close();
  }

  private retry(): void {
    this.attempt++;
    const pause = pauseBefore(this.attempt);
    const retryAt = this.now() + pause;
    this.status.set({ kind: "lost", attempt: this.attempt, retryAt });
    this.later(() => {
      const status = this.status.value;
      if (status.kind === "lost" && status.retryAt === retryAt && !this.socket) this.open();
    }, pause);
  }

  private failWaiting(message: string): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const waiting of all) waiting.reject(new RequestError({ message }));
  }
}

/** Milliseconds to wait before the n-th attempt: half a second, then longer, at most eight seconds. */
export function pauseBefore(attempt: number): number {
  return Math.min(8000, 500 * 1.6 ** (attempt - 1));
}

/** The address of the WebSocket for a page at `location`; a token and the name of a recording are passed on. */
export function socketUrl(location: { protocol: string; host: string; pathname: string; search: string }): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const folder = location.pathname.replace(/[^/]*$/, "");
  const given = new URLSearchParams(location.search);
  const passed = ["token", "recording"].flatMap((key) => {
    const value = given.get(key);
    return value === null ? [] : [`${key}=${encodeURIComponent(value)}`];
  });
  return `${scheme}//${location.host}${folder}ws${passed.length > 0 ? "?" : ""}${passed.join("&")}`;
}
