import { gzipSync } from 'node:zlib'
import { startServer } from '@tidegate/testing'
import type { Metric } from './report.ts'

/** The chunk that the first screen needs besides the shell. */
const FIRST_SCREEN = /login-page/

/** Compressed script size that a browser loads before `/login` can render, as served by the built server. */
export async function measureConsoleSize(): Promise<Metric[]> {
  const server = await startServer()
  try {
    const page = new URL('/login', server.url)
    const shell = new Map<string, Script>()
    for (const source of scriptsOfPage(await textOf(page))) await loadWithImports(new URL(source, page), shell)

    const screen = new Map(shell)
    for (const { url, code } of shell.values()) {
      const lazy = dynamicImports(code).filter((path) => FIRST_SCREEN.test(path))
      for (const path of lazy) await loadWithImports(new URL(path, url), screen)
    }
    return [
      { name: 'console scripts, shell', value: sizeOf(shell), unit: 'KB', note: `${shell.size} files, gzip` },
      {
        name: 'console scripts, /login',
        value: sizeOf(screen),
        unit: 'KB',
        note: `${screen.size} files; heaviest: ${heaviest(screen)}`,
      },
    ]
  } finally {
    await server.stop()
  }
}

interface Script {
  url: URL
  code: string
  compressed: number
}

async function loadWithImports(url: URL, loaded: Map<string, Script>): Promise<void> {
  if (loaded.has(url.href)) return
  const code = await textOf(url)
  loaded.set(url.href, { url, code, compressed: gzipSync(code).length })
  for (const path of staticImports(code)) await loadWithImports(new URL(path, url), loaded)
}

async function textOf(url: URL): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url.pathname} returned ${response.status}`)
  return await response.text()
}

function sizeOf(scripts: Map<string, Script>): number {
  return [...scripts.values()].reduce((sum, { compressed }) => sum + compressed, 0) / 1024
}

function heaviest(scripts: Map<string, Script>): string {
  return [...scripts.values()]
    .toSorted((a, b) => b.compressed - a.compressed)
    .slice(0, 4)
    .map(({ url, compressed }) => `${url.pathname.split('/').at(-1)} ${Math.round(compressed / 1024)}`)
    .join(', ')
}

/** Scripts that a page loads itself: its module scripts and preloads. */
export function scriptsOfPage(html: string): string[] {
  const scripts = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"/g)]
  const preloads = [...html.matchAll(/<link\b(?=[^>]*\brel="modulepreload")[^>]*\bhref="([^"]+)"/g)]
  return [...scripts, ...preloads].map((match) => match[1]!)
}

/** Modules that a built module imports statically. */
export function staticImports(code: string): string[] {
  const found = code.matchAll(/\b(?:import|export)\s*(?:[\w$*{][^'"();]*?\bfrom\s*)?(['"`])(\.{1,2}\/[^'"`]+)\1/g)
  return [...new Set([...found].map((match) => match[2]!))]
}

/** Modules that a built module may import later. */
export function dynamicImports(code: string): string[] {
  return [...new Set([...code.matchAll(/\bimport\(\s*(['"`])(\.{0,2}\/[^'"`]+)\1\s*\)/g)].map((match) => match[2]!))]
}
