import { expect, it } from "vitest";
import { NewestOnly } from "../../src/model/newest.ts";

it("sends the first at once, then only the newest, and never two at a time", async () => {
  const sent: number[] = [];
  const replies: (() => void)[] = [];
  const sender = new NewestOnly<number>((value) => {
    sent.push(value);
    return new Promise<void>((resolve) => replies.push(resolve));
  });
  for (let i = 1; i <= 5; i++) sender.push(i);
  expect(sent).toEqual([1]);
  replies[0]!();
  await Promise.resolve();
  await Promise.resolve();
  expect(sent).toEqual([1, 5]);
  const settled = sender.settled();
  replies[1]!();
  await settled;
  expect(sent).toEqual([1, 5]);
});

it("goes on after a refusal", async () => {
  const sent: number[] = [];
  const errors: unknown[] = [];
  const sender = new NewestOnly<number>(
    (value) => {
      sent.push(value);
      return value === 1 ? Promise.reject(new Error("no")) : Promise.resolve();
    },
    (error) => errors.push(error),
  );
  sender.push(1);
  sender.push(2);
  await sender.settled();
  expect(sent).toEqual([1, 2]);
  expect(errors).toHaveLength(1);
});
