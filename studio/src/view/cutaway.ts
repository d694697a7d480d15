/**
 * Makes what stands between the camera and its subject translucent: walls, slabs, hills. Within an outline around the subject most pixels of what is
 * nearer to the camera are left out, by a pattern (view/fading.ts), so that nothing has to be sorted.
 */
import { Vector4, type LineBasicMaterial, type MeshLambertMaterial, type WebGLProgramParametersWithUniforms } from "three";
import { toWorld, type Place } from "./axes.ts";
import { FADING_GLSL } from "./fading.ts";

/** Where the subject's feet are, in the world of the renderer, and its height, m; height 0 is no subject. All materials share it. */
const subject = { value: new Vector4() };

export function setSubject(feet: Place | null, height: number): void {
  const { x, y, z } = toWorld(...(feet ?? [0, 0, 0]));
  subject.value.set(x, y, z, feet ? height : 0);
}

/** Lets a material be cut away; call it last, when all else of its shader is set up. */
export function cutAway<M extends MeshLambertMaterial | LineBasicMaterial>(material: M): M {
  const [setUp, key] = [material.onBeforeCompile.bind(material), material.customProgramCacheKey()];
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms, renderer) => {
    setUp(shader, renderer);
    shader.uniforms["subject"] = subject;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 cutPlace;\nvarying float cutHeight;")
      .replace("#include <project_vertex>", "#include <project_vertex>\ncutPlace = mvPosition.xyz;\ncutHeight = (modelMatrix * vec4(transformed, 1.0)).y;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>${CUT_GLSL}`)
      .replace("#include <clipping_planes_fragment>", "#include <clipping_planes_fragment>\nif (isCutAway()) discard;");
  };
  material.customProgramCacheKey = () => `${key} cut away`;
  return material;
}

/**
 * `isCutAway()`: whether a pixel is left out. Places are compared where they are seen in the plane of the subject. What is no higher than its feet cannot hide it
 * from above.
 */
const CUT_GLSL = `
  varying vec3 cutPlace;
  varying float cutHeight;
  uniform vec4 subject;
  ${FADING_GLSL}
  vec2 cutSeen(vec3 place, float depth) {
    return isOrthographic ? place.xy : place.xy * (depth / -place.z);
  }
  bool isCutAway() {
    if (subject.w <= 0.0 || cutHeight < subject.y + 0.1) return false;
    vec3 low = (viewMatrix * vec4(subject.x, subject.y + 0.3 * subject.w, subject.z, 1.0)).xyz;
    vec3 high = (viewMatrix * vec4(subject.x, subject.y + 0.85 * subject.w, subject.z, 1.0)).xyz;
    float depth = -0.5 * (low.z + high.z);
    if (depth <= 0.0 || -cutPlace.z > depth - 0.4) return false;
    vec2 here = cutSeen(cutPlace, depth), from = cutSeen(low, depth), along = cutSeen(high, depth) - from;
    float part = clamp(dot(here - from, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    float radius = max(1.3, 0.05 * depth);
    float cut = 1.0 - smoothstep(0.6 * radius, radius, distance(here, from + part * along));
    return screenPattern() >= mix(1.0, 0.13, cut);
  }`;
