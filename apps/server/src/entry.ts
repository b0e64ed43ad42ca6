#!/usr/bin/env -S node --max-semi-space-size=16
import process from 'node:process'

/** Entry point of the build. Older Node versions cannot parse the rest, so the version is checked first. */
const NEEDED = 24

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  console.error(
    `Tidegate needs Node ${NEEDED} or newer; this is ${process.versions.node}. Get it from https://nodejs.org`,
  )
  process.exitCode = 1
} else {
  await import('./main.ts')
}
