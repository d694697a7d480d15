/** A part of the stage whose meshes are made anew when what it shows changes. */
import { Group, type BufferGeometry, type Material, type Mesh, type Object3D } from "three";

export class Part {
  readonly root = new Group();

  /** Takes away what is there, gives its memory back, and puts `objects` in its place. */
  protected replace(...objects: Object3D[]): void {
    for (const old of [...this.root.children]) {
      this.root.remove(old);
      dispose(old);
    }
    if (objects.length > 0) this.root.add(...objects);
  }
}

function dispose(object: Object3D): void {
  object.traverse((child) => {
    const mesh = child as Partial<Mesh>;
    (mesh.geometry as BufferGeometry | undefined)?.dispose();
    const materials = mesh.material as Material | Material[] | undefined;
    for (const material of Array.isArray(materials) ? materials : materials ? [materials] : []) material.dispose();
  });
}
