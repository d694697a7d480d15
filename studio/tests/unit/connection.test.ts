import { describe, expect, it } from "vitest";
import { Connection, RequestError, pauseBefore, socketUrl, type Socket } from "../../src/connection.ts";
import { encodeFrame, random } from "./helpers.ts";

class FakeSocket implements Socket {
  binaryType = "";
  readyState = 1;
  onopen = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  onerror = null;
  sent: (string | Uint8Array)[] = [];
  closed = false;
  send(data: string | Uint8Array) {
    this.sent.push(data);
  }
  close() {
    this.closed = true;
  }
  tell(message: unknown) {
    this.onmessage?.({ data: message instanceof ArrayBuffer ? message : JSON.stringify(message) });
  }
  get requests() {
    return this.sent.filter((data) => typeof data === "string").map((data) => JSON.parse(data) as Record<string, unknown>);
  }
}

function connected() {
  const sockets: FakeSocket[] = [];
  const delayed: { call: () => void; milliseconds: number }[] = [];
  const connection = new Connection({
    url: "ws://test/ws",
    openSocket: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    now: () => 0,
    later: (call, milliseconds) => delayed.push({ call, milliseconds }),
  });
  const trouble: string[] = [];
  connection.onTrouble = (words) => trouble.push(words);
  connection.open();
  const greet = (protocol = 2) => sockets.at(-1)!.tell({ event: "hello", protocol, server: "throng 0.1.0", run: 7 });
  return { connection, sockets, delayed, trouble, greet };
}

describe("the connection", () => {
  it("answers hello with its own version and is open then", () => {
    const { connection, sockets, greet } = connected();
    expect(connection.status.value.kind).toBe("connecting");
    greet();
    expect(sockets[0]!.requests[0]).toMatchObject({ do: "hello", protocol: 2, rate: 30 });
    expect(connection.status.value).toEqual({ kind: "open", server: "throng 0.1.0" });
  });

  it("matches replies to requests, in any order", async () => {
    const { connection, sockets, greet } = connected();
    greet();
    const first = connection.request("text");
    const second = connection.request("files");
    const [a, b] = sockets[0]!.requests.slice(1).map((request) => request["id"]);
    sockets[0]!.tell({ re: b, ok: 2 });
    sockets[0]!.tell({ re: a, error: { message: "no", help: "try yes" } });
    expect(await second).toBe(2);
    const error = await first.catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ message: "no", help: "try yes" });
  });

  it("acknowledges every frame with one byte, also those it cannot read", () => {
    const { connection, sockets, trouble, greet } = connected();
    greet();
    let frames = 0;
    connection.onFrame = () => frames++;
    sockets[0]!.tell(encodeFrame({ people: [] }));
    sockets[0]!.tell(new ArrayBuffer(9));
    const acknowledgements = sockets[0]!.sent.filter((data) => typeof data !== "string");
    expect(acknowledgements.map((data) => [...data])).toEqual([[2], [2]]);
    expect(frames).toBe(1);
    expect(trouble).toHaveLength(1);
  });

  it("lets no message throw, whatever it says", () => {
    const { connection, sockets, trouble, greet } = connected();
    greet();
    connection.onFrame = () => {
      throw new Error("a broken view");
    };
    sockets[0]!.tell(encodeFrame({ people: [] }));
    sockets[0]!.onmessage!({ data: "{ not json" });
    sockets[0]!.onmessage!({ data: "null" });
    const next = random(3);
    for (let i = 0; i < 200; i++) {
      sockets[0]!.onmessage!({ data: Uint8Array.from({ length: Math.floor(next() * 90) }, () => Math.floor(next() * 256)).buffer });
    }
    expect(trouble[0]).toBe("a broken view");
  });

  it("tries again after growing pauses, and fails what was under way", async () => {
    const { connection, sockets, delayed, greet } = connected();
    greet();
    const request = connection.request("text");
    sockets[0]!.onclose!({ code: 1006, reason: "" });
    await expect(request).rejects.toThrow("lost");
    await expect(connection.request("text")).rejects.toThrow("no connection");
    expect(connection.status.value.kind).toBe("lost");
    delayed[0]!.call();
    sockets[1]!.onclose!({ code: 1006, reason: "" });
    delayed[1]!.call();
    expect(delayed[1]!.milliseconds).toBeGreaterThan(delayed[0]!.milliseconds);
    greet();
    expect(connection.status.value.kind).toBe("open");
    expect(pauseBefore(1)).toBe(500);
    expect(pauseBefore(100)).toBe(8000);
  });

  it("says that versions differ and does not try again", async () => {
    const { connection, sockets, delayed, greet } = connected();
    greet(3);
    const id = sockets[0]!.requests[0]!["id"];
    sockets[0]!.tell({ re: id, error: { message: "the page is older than the server" } });
    await Promise.resolve();
    await Promise.resolve();
    expect(connection.status.value).toEqual({ kind: "refused", reason: "the page is older than the server" });
    sockets[0]!.onclose!({ code: 4001, reason: "" });
    expect(delayed).toHaveLength(0);
  });

  it("finds the WebSocket beside the page and passes the token on", () => {
    const page = { protocol: "http:", host: "localhost:7777", pathname: "/", search: "" };
    expect(socketUrl(page)).toBe("ws://localhost:7777/ws");
    expect(socketUrl({ ...page, protocol: "https:", pathname: "/x/index.html", search: "?token=a%26b" })).toBe(
      "wss://localhost:7777/x/ws?token=a%26b",
    );
    expect(socketUrl({ ...page, pathname: "/studio", search: "?recording=squeeze.orca%3Da%26b.0&token=t" })).toBe(
      "ws://localhost:7777/ws?token=t&recording=squeeze.orca%3Da%26b.0",
    );
  });
});
