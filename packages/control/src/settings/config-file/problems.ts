import { errorMessage, ApiError, type api, type Phrase } from '@tidegate/contract'

/** Gathers everything that is wrong with a file, so that it is mended in one go. */
export class Problems {
  readonly #found: api.ConfigProblem[]

  constructor(found: readonly api.ConfigProblem[] = []) {
    this.#found = [...found]
  }

  /** To go on from what is known already, perhaps more than once. */
  copy(): Problems {
    return new Problems(this.#found)
  }

  add(line: number, place: string, { zh, en }: Phrase): void {
    this.#found.push({ line, place, zh, en })
  }

  /** Runs a check of the product's own; what it refuses becomes a problem, and the answer undefined. */
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

  /** Lets nobody pass while there are any. */
  throwIfAny(): void {
    if (!this.any) return
    const problems = this.#found.toSorted((one, other) => one.line - other.line)
    const details = { count: problems.length, list: listOf(problems) }
    throw new ApiError('config_file_invalid', details, { data: { problems } })
  }
}

export function phraseOf({ code, details }: Pick<ApiError, 'code' | 'details'>): Phrase {
  return { zh: errorMessage(code, 'zh', details), en: errorMessage(code, 'en', details) }
}

function listOf(problems: readonly api.ConfigProblem[]): Phrase {
  return {
    zh: problems.map(({ line, place, zh }) => `第 ${line} 行${place && ` ${place}`}：${zh}`).join('\n'),
    en: problems.map(({ line, place, en }) => `line ${line}${place && `, ${place}`}: ${en}`).join('\n'),
  }
}
