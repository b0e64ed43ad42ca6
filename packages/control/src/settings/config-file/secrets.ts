import type { Phrase } from '@tidegate/contract'
import type { Problems } from './problems.ts'
import { isSealed, openWith } from './seal.ts'

export interface SecretSources {
  passphrase?: string | undefined
  /** A variable of the environment by its name. Only a person at the machine itself may read those. */
  variable?: ((name: string) => string | undefined) | undefined
}

interface Where {
  /** What a sealed text must have been sealed for. */
  sealedFor: string
  line: number
  place: string
}

export interface SecretReader {
  /** The secret itself; undefined, and a problem, when it cannot be had. */
  read(text: string, where: Where): Promise<string | undefined>
}

/** A secret moved to another option would go to another service with it; keys stay keys when a channel is renamed. */
export const sealedOption = (key: string): string => `option ${key}`
export const SEALED_KEYS = 'channel keys'

const VARIABLE = 'env:'

/** Reads secrets as a file may give them: plain, `sealed:…` by a passphrase, or `env:NAME`. */
export function readSecrets({ passphrase, variable }: SecretSources, problems: Problems): SecretReader {
  const open = passphrase === undefined ? undefined : openWith(passphrase)
  const fail = ({ line, place }: Where, problem: Phrase): undefined => {
    problems.add(line, place, problem)
  }
  return {
    async read(text, where) {
      if (isSealed(text)) {
        if (!open) return fail(where, NEEDS_PASSPHRASE)
        try {
          return await open(where.sealedFor, text)
        } catch {
          return fail(where, DOES_NOT_OPEN)
        }
      }
      if (!text.startsWith(VARIABLE)) return text
      if (!variable) return fail(where, NO_VARIABLES)
      const name = text.slice(VARIABLE.length).trim()
      const value = variable(name)
      return value === undefined || value === '' ? fail(where, notSet(name)) : value
    },
  }
}

const NEEDS_PASSPHRASE: Phrase = {
  zh: '内容已加密，需要导出时使用的口令',
  en: 'this is sealed; give the passphrase it was sealed with',
}
const DOES_NOT_OPEN: Phrase = {
  zh: '无法解密：口令不对，或内容被改动、移动过',
  en: 'this does not open: another passphrase, or it was changed or moved',
}
const NO_VARIABLES: Phrase = { zh: 'env: 只能在命令行里使用', en: '"env:" works on the command line only' }

function notSet(name: string): Phrase {
  return { zh: `没有设置环境变量 ${name}`, en: `the environment has no ${name}` }
}
