/**
 * Marks on the ground that are found also behind walls: whole where they are seen, faint where ground or solids hide them, and never drawn over people.
 *
 * The faint part is drawn when ground and solids have been and people have not, wherever something is nearer; people then cover it as they would cover
 * the ground. The rest is drawn last, where nothing is nearer.
 */
import { CustomBlending, DoubleSide, GreaterDepth, Mesh, MeshBasicMaterial, OneFactor, OneMinusSrcAlphaFactor, SrcAlphaFactor, ZeroFactor, type BufferGeometry } from "three";

/** Ground and solids are drawn before what is hidden behind them, people after it (render order). */
export const SOLIDS_ORDER = -2;
const HIDDEN_ORDER = -1;
/** Opacity of what is hidden, of its own. */
const HIDDEN_OPACITY = 0.22;

/** The meshes of a mark painted by its vertices; marks of a higher order are drawn over others. */
export function overlayMeshes(geometry: BufferGeometry, order: number): Mesh[] {
  const [seen, hidden] = [new Mesh(geometry, material()), new Mesh(geometry, material())];
  seen.material.transparent = true;
  seen.renderOrder = order;
  hidden.material.opacity = HIDDEN_OPACITY;
  hidden.material.depthFunc = GreaterDepth;
  // What blends without being transparent is drawn in its turn among what is opaque. The canvas stays opaque.
  hidden.material.blending = CustomBlending;
  [hidden.material.blendSrc, hidden.material.blendDst, hidden.material.blendSrcAlpha, hidden.material.blendDstAlpha] = [SrcAlphaFactor, OneMinusSrcAlphaFactor, ZeroFactor, OneFactor];
  hidden.renderOrder = HIDDEN_ORDER;
  return [seen, hidden];
}

/** A little nearer than they are, since marks lie on the ground. */
function material(): MeshBasicMaterial {
  return new MeshBasicMaterial({ vertexColors: true, depthWrite: false, side: DoubleSide, fog: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -16 });
}
