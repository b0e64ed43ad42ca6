import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findExternals, importsOf } from './find-externals.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidegate-externals-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('finds the external imports of a bundle, in every form a bundler writes', () => {
  const code = `
import { hash as hash$1 } from "@node-rs/argon2";
import "side-effect/deep";
import fs from "node:fs";
import { part } from "./part-Ab12.mjs";
export { x } from "@scope/name/sub";
const late = await import("late");
const old = __require("old/file.js");
const text = "import { nothing } from 'nowhere'";
const native = __require("pg-native");
`
  expect(importsOf(code)).toEqual(['@node-rs/argon2', '@scope/name', 'side-effect', 'late', 'old'])
})

it('allows only native modules as externals', async () => {
  await writeFile(join(folder, 'tidegate.mjs'), 'import { hash } from "@node-rs/argon2";\n')
  expect(await findExternals(folder)).toEqual(['@node-rs/argon2'])

  await writeFile(join(folder, 'part.mjs'), 'import left from "left-out";\n')
  await expect(findExternals(folder)).rejects.toThrow('left-out')
})

it('requires a build first', async () => {
  await expect(findExternals(join(folder, 'dist'))).rejects.toThrow('npm run build')
})
