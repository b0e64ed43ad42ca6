/** Scripts a page loads by itself: its module scripts and what it preloads. */
export function scriptsOfPage(html: string): string[] {
  const scripts = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"/g)]
  const preloads = [...html.matchAll(/<link\b(?=[^>]*\brel="modulepreload")[^>]*\bhref="([^"]+)"/g)]
  return [...scripts, ...preloads].map((match) => match[1]!)
}

/** Modules a built module cannot run without. */
export function staticImports(code: string): string[] {
  const found = code.matchAll(/\b(?:import|export)\s*(?:[\w$*{][^'"();]*?\bfrom\s*)?(['"`])(\.{1,2}\/[^'"`]+)\1/g)
  return [...new Set([...found].map((match) => match[2]!))]
}

/** Modules a built module may ask for later. */
export function dynamicImports(code: string): string[] {
  return [...new Set([...code.matchAll(/\bimport\(\s*(['"`])(\.{0,2}\/[^'"`]+)\1\s*\)/g)].map((match) => match[2]!))]
}
