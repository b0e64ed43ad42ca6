import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

describe('the entry the console bundles', () => {
  it('imports neither options nor error messages, and no package but zod', () => {
    const reached = reachableFrom(new URL('./index.ts', import.meta.url))

    expect([...reached.files].filter((file) => /\/src\/(options|errors|openapi)/.test(file))).toEqual([])
    expect([...reached.packages]).toEqual(['zod'])
    expect(reached.files.size).toBeGreaterThan(5)
  })
})

/** Follows the imports that remain once types are stripped. */
function reachableFrom(entry: URL): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const pending = [entry]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (files.has(file.href)) continue
    files.add(file.href)
    for (const specifier of importsOf(readFileSync(file, 'utf8'))) {
      if (specifier.startsWith('.')) pending.push(new URL(specifier, file))
      else packages.add(specifier)
    }
  }
  return { files, packages }
}

function importsOf(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)[^'"]*?from\s+'([^']+)'/gm)
  return [...statements].map((match) => match[1]!)
}
