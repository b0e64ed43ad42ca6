/** Prices or ratios by model or group. */
export type Figures = Readonly<Record<string, number>>

/** Maps come from JSON: a model named `constructor` must not find the prototype's. */
export function figure(map: Figures | undefined, name: string): number | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
}
