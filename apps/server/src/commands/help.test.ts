import { expect, it } from 'vitest'
import { helpFor } from './help.ts'

const COMMANDS =
  'start migrate doctor verify audit backup restore move secrets import export config help version'.split(' ')

it('lists every command in the overview', () => {
  const lines = helpFor()!.split('\n')

  for (const command of COMMANDS) expect(lines.some((line) => line.startsWith(`  ${command} `))).toBe(true)
})

it.each(COMMANDS)('describes %s without the other commands', (command) => {
  const usage = helpFor(command)!.split('\n\n')[0]!.split('\n')

  for (const line of usage) {
    if (command === 'version') expect(line).toMatch(/^tidegate (version|--version|-v)$/)
    else expect(line).toMatch(new RegExp(`^tidegate ${command}( |$)`))
  }
})

it('does not name files that the package does not contain', () => {
  const texts = [helpFor(), ...COMMANDS.map((command) => helpFor(command))]

  expect(texts.join('\n')).not.toMatch(/docs\/\S+\.md/)
})

it('has no help for an unknown command', () => {
  expect(helpFor('serve')).toBeUndefined()
  expect(helpFor('constructor')).toBeUndefined()
})
