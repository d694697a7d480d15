/** Who looks how, as the server has told: each person once. People have numbers here, under which their colours are on the graphics card. */
import type { Role, Roles } from "../bodies.ts";
import { BODY_REGIONS } from "../protocol.ts";

export class RoleBook {
  private readonly slots = new Map<number, number>();
  private roles: Role[] = [];
  /** Grows with every change, for those who keep copies. */
  version = 0;

  get count(): number {
    return this.roles.length;
  }

  clear(): void {
    this.slots.clear();
    this.roles = [];
    this.version++;
  }

  learn({ anew, ids, roles }: Roles): void {
    if (anew) this.clear();
    ids.forEach((id, i) => {
      const slot = this.slots.get(id) ?? this.roles.length;
      this.slots.set(id, slot);
      this.roles[slot] = roles[i]!;
    });
    this.version++;
  }

  /** The number of a person; -1 for somebody unknown. */
  slotOf(id: number): number {
    return this.slots.get(id) ?? -1;
  }

  at(slot: number): Role {
    return this.roles[slot]!;
  }

  /** Everybody's colours as screens take them, `DYES_PER_PERSON` texels for each, in rows of `DYES_PER_ROW` people. */
  dyes(): { texels: Uint8Array; rows: number } {
    const rows = Math.max(1, Math.ceil(this.count / DYES_PER_ROW));
    const texels = new Uint8Array(4 * DYES_PER_PERSON * DYES_PER_ROW * rows);
    this.roles.forEach(({ palette }, slot) => {
      for (let region = 0; region < BODY_REGIONS.length; region++) {
        const at = 4 * (DYES_PER_PERSON * slot + region);
        texels.set(palette.subarray(3 * region, 3 * region + 3), at);
        texels[at + 3] = 255;
      }
    });
    return { texels, rows };
  }
}

export const DYES_PER_PERSON = BODY_REGIONS.length;
export const DYES_PER_ROW = 256;
