/** Where a field leads: lines with dashes that drift along them. */
import { BufferAttribute, BufferGeometry, Color, Mesh, ShaderMaterial, DoubleSide } from "three";
import type { HeightAt } from "../model/heights.ts";
import type { CriticalKind, Point, Streamlines } from "../protocol.ts";
import { distance } from "../model/geometry.ts";
import type { Label } from "./labels.ts";
import { Part } from "./parts.ts";

/** Mark of a place where a field stands still, and what the field does to people there. */
const CRITICAL: Record<CriticalKind, { text: string; title: string }> = {
  sink: { text: "⊗", title: "Sink: people pile up here, as the field leads in from all sides" },
  centre: { text: "↻", title: "Centre: people go in circles here" },
  source: { text: "✳", title: "Source: people spread out from here to all sides; nobody is held up" },
  saddle: { text: "✕", title: "Saddle: streams meet here and part to two sides; nobody is held up" },
};

/** Only traps, which people do not get away from, are warnings. */
export function criticalLabel({ at, kind, trap }: Streamlines["critical"][number], heightAt: HeightAt): Label {
  return { ...CRITICAL[kind], kind: trap ? "warning" : "critical", at: [...at, heightAt(...at)] };
}

export class StreamlinesView extends Part {
  private readonly uniforms = { time: { value: 0 }, color: { value: new Color() }, strength: { value: 0.55 } };

  get visible(): boolean {
    return this.root.children.length > 0;
  }

  /** On a dark ground lines are lighter than the group they lead. */
  show(lines: Point[][], heightAt: HeightAt, color: string, dark: boolean, width: number): void {
    this.uniforms.color.value.set(color).lerp(new Color("#ffffff"), dark ? 0.35 : 0);
    this.uniforms.strength.value = dark ? 0.75 : 0.6;
    const positions: number[] = [];
    const along: number[] = [];
    lines.forEach((line, k) => {
      // Each line begins at another place of its dashes, so that they do not march in step.
      let travelled = (k * 0.618 * 6) % 6;
      const total = line.reduce((sum, p, i) => sum + (i > 0 ? distance(p, line[i - 1]!) : 0), 0);
      let done = 0;
      for (let i = 1; i < line.length; i++) {
        const [a, b] = [line[i - 1]!, line[i]!];
        const size = distance(a, b);
        if (size < 1e-6) continue;
        const [nx, ny] = [(-(b[1] - a[1]) / size) * (width / 2), ((b[0] - a[0]) / size) * (width / 2)];
        const corner = (p: Point, side: number, at: number, taper: number) => {
          const [x, y] = [p[0] + nx * side, p[1] + ny * side];
          positions.push(x, heightAt(x, y) + 0.05, -y);
          along.push(at, taper);
        };
        const [fromTaper, toTaper] = [edgeFade(done, total), edgeFade(done + size, total)];
        const [from, to] = [travelled, travelled + size];
        corner(a, -1, from, fromTaper);
        corner(b, -1, to, toTaper);
        corner(b, 1, to, toTaper);
        corner(a, -1, from, fromTaper);
        corner(b, 1, to, toTaper);
        corner(a, 1, from, fromTaper);
        travelled = to;
        done += size;
      }
    });
    if (positions.length === 0) {
      this.replace();
      return;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(positions), 3));
    geometry.setAttribute("along", new BufferAttribute(Float32Array.from(along), 2));
    const mesh = new Mesh(geometry, dashes(this.uniforms));
    mesh.renderOrder = 10;
    this.replace(mesh);
  }

  hide(): void {
    this.replace();
  }

  /** Lets the dashes drift; tells whether there are any. */
  advance(seconds: number): boolean {
    if (!this.visible) return false;
    this.uniforms.time.value = (this.uniforms.time.value + seconds) % 600;
    return true;
  }
}

const edgeFade = (done: number, total: number) => Math.min(1, done / 1.5, (total - done) / 1.5);

function dashes(uniforms: Record<string, { value: unknown }>): ShaderMaterial {
  return new ShaderMaterial({
    uniforms,
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    vertexShader: `
      attribute vec2 along;
      varying vec2 way;
      void main() {
        way = along;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform float time;
      uniform vec3 color;
      uniform float strength;
      varying vec2 way;
      void main() {
        float dash = fract((way.x - time * 1.6) / 6.0);
        float head = smoothstep(0.0, 0.75, dash) * (1.0 - smoothstep(0.93, 1.0, dash));
        gl_FragColor = vec4(color, strength * way.y * (0.22 + 0.78 * head));
        #include <colorspace_fragment>
      }`,
  });
}
