import { importedRows, type Db } from '@tidegate/storage'

export type Kind = 'user' | 'token' | 'channel' | 'redemption' | 'top_up' | 'log'

/** Which rows of a source are here already, and as what. */
export class PresentRows {
  readonly #ids = new Map<string, number>()

  static async of(db: Db, source: string): Promise<PresentRows> {
    const present = new PresentRows()
    for (const { kind, source_id, target_id } of await importedRows.listOf(db, source)) {
      present.add(kind as Kind, source_id, target_id)
    }
    return present
  }

  add(kind: Kind, sourceId: string, id: number): void {
    this.#ids.set(`${kind} ${sourceId}`, id)
  }

  idOf(kind: Kind, sourceId: string): number | undefined {
    return this.#ids.get(`${kind} ${sourceId}`)
  }

  has(kind: Kind, sourceId: string): boolean {
    return this.#ids.has(`${kind} ${sourceId}`)
  }
}
