import { errorMessage, ApiError, type api, type LocalizedText } from '@tidegate/contract'

/** Collects all problems of a file, so they can be fixed together. */
export class Problems {
  readonly #found: api.ConfigProblem[]

  constructor(found: readonly api.ConfigProblem[] = []) {
    this.#found = [...found]
  }

  /** Copy to continue from. */
  copy(): Problems {
    return new Problems(this.#found)
  }

  add(line: number, place: string, { zh, en }: LocalizedText): void {
    this.#found.push({ line, place, zh, en })
  }

  /** Runs a check; an `ApiError` becomes a problem and the result undefined. */
  catch<Result>(line: number, place: string, check: () => Result): Result | undefined {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.add(line, place, phraseOf(error))
      return undefined
    }
  }

  get any(): boolean {
    return this.#found.length > 0
  }

  /** Throws if there are problems. */
  throwIfAny(): void {
    if (!this.any) return
    const problems = this.#found.toSorted((one, other) => one.line - other.line)
    const details = { count: problems.length, list: listOf(problems) }
    throw new ApiError('config_file_invalid', details, { data: { problems } })
  }
}

export function phraseOf({ code, details }: Pick<ApiError, 'code' | 'details'>): LocalizedText {
  return { zh: errorMessage(code, 'zh', details), en: errorMessage(code, 'en', details) }
}

function listOf(problems: readonly api.ConfigProblem[]): LocalizedText {
  return {
    zh: problems.map(({ line, place, zh }) => `第 ${line} 行${place && ` ${place}`}：${zh}`).join('\n'),
    en: problems.map(({ line, place, en }) => `line ${line}${place && `, ${place}`}: ${en}`).join('\n'),
  }
}
