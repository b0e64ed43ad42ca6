import ts from 'typescript'

/** Every file of the console that can show something, parsed. */
export const sources: readonly ts.SourceFile[] = Object.entries(
  import.meta.glob<string>(['../**/*.{ts,tsx}', '!../locales/**', '!../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).map(([path, text]) => {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
})

/** Calls `visit` for every node of a file, with the nodes around it. */
export function walk(file: ts.SourceFile, visit: (node: ts.Node, parent: ts.Node) => void): void {
  const step = (node: ts.Node) =>
    ts.forEachChild(node, (child) => {
      visit(child, node)
      step(child)
    })
  step(file)
}
