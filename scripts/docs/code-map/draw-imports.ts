import type { Package } from './read-packages.ts'

const BOX = { width: 150, height: 40 }
const GAP = { x: 26, y: 56 }
const MARGIN = 20

interface Place {
  readonly x: number
  readonly y: number
}

/** Draws packages in rows, each above those it imports. An arrow that follows from two others is left out. */
export function drawImports(packages: readonly Package[]): string {
  const rows = rowsOf(packages)
  const widest = Math.max(...rows.map((row) => row.length))
  const width = 2 * MARGIN + widest * BOX.width + (widest - 1) * GAP.x
  const height = 2 * MARGIN + rows.length * BOX.height + (rows.length - 1) * GAP.y
  const places = new Map(rows.flatMap((row, index) => placesOf(row, index, width)))
  const arrows = packages.flatMap((from) =>
    direct(from, packages).map((to) => arrow(places.get(from.path)!, places.get(to)!)),
  )
  const boxes = packages.map(({ path }) => box(path, places.get(path)!))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">
<title>Which package imports which</title>
<style>
text { font: 13px Inter, system-ui, sans-serif; text-anchor: middle; fill: #131722 }
rect { fill: #e8f2fc; stroke: #0b6bcb; rx: 8px }
path { fill: none; stroke: #667085 }
marker path { fill: #667085; stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #e8ebf1 }
rect { fill: #10253c; stroke: #4aa3ff }
path { stroke: #8a94a6 }
marker path { fill: #8a94a6 }
}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${[...arrows, ...boxes].join('\n')}
</svg>
`
}

/** Rows from the top: a package is one row above the highest one it imports. */
function rowsOf(packages: readonly Package[]): Package[][] {
  const byPath = new Map(packages.map((one) => [one.path, one]))
  const level = ({ imports }: Package): number =>
    imports.reduce((highest, path) => Math.max(highest, level(byPath.get(path)!) + 1), 0)
  const levels = Map.groupBy(packages, level)
  return [...levels.keys()].toSorted((a, b) => b - a).map((key) => levels.get(key)!)
}

function placesOf(row: readonly Package[], index: number, width: number): [string, Place][] {
  const rowWidth = row.length * BOX.width + (row.length - 1) * GAP.x
  return row.map(({ path }, column) => [
    path,
    { x: (width - rowWidth) / 2 + column * (BOX.width + GAP.x), y: MARGIN + index * (BOX.height + GAP.y) },
  ])
}

function direct({ imports }: Package, packages: readonly Package[]): string[] {
  const reaches = (path: string): string[] => {
    const own = packages.find((one) => one.path === path)!.imports
    return [...own, ...own.flatMap(reaches)]
  }
  const further = new Set(imports.flatMap(reaches))
  return imports.filter((path) => !further.has(path))
}

function arrow(from: Place, to: Place): string {
  const [x1, y1] = [from.x + BOX.width / 2, from.y + BOX.height]
  const [x2, y2] = [to.x + BOX.width / 2, to.y]
  const bend = (y2 - y1) / 2
  return `<path d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 2}" marker-end="url(#tip)"/>`
}

function box(path: string, { x, y }: Place): string {
  const label = `<text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 5}">${path}</text>`
  return `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}"/>${label}`
}
