import { ApiError } from '@tidegate/contract'
import type { DialectId } from '@tidegate/dialects'
import { checkBalance } from '../admit/credit.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { requireField } from '../http/read-body.ts'
import type { Caller, Catalog, FileStore, Ports, StoredFile } from '../ports/index.ts'
import { deletedFile, isAnthropic, showFile } from './file-format.ts'
import { queryOf, readLimit } from './read-page.ts'
import { uploadFile } from './upload-file.ts'

type FileEndpoint = Extract<Endpoint, { kind: 'file' }>

interface FileRequest {
  readonly incoming: ApiRequest
  readonly caller: Caller
  readonly group: string
  readonly catalog: Catalog
}

/** Stores, shows and deletes files of the caller. Undefined when the response was sent: the content of a file. */
export async function serveFile(
  ports: Pick<Ports, 'credit'> & { readonly files: FileStore },
  { action, id }: FileEndpoint,
  request: FileRequest,
): Promise<object | undefined> {
  const { incoming, caller, group, catalog } = request
  const { files } = ports
  const dialect = incoming.dialect.id
  switch (action) {
    case 'upload': {
      if (catalog.settings['files.user_megabytes'] === 0) throw new ApiError('api_not_implemented')
      await checkBalance(ports, incoming, { caller, catalog, groups: [group] })
      return showFile(dialect, await uploadFile(files, { incoming, caller, settings: catalog.settings }))
    }
    case 'list':
      return isAnthropic(dialect) ? listForAnthropic(files, request) : listForOpenai(files, request)
    case 'show':
      return showFile(dialect, await findFile(files, caller, id))
    case 'content':
      await sendContent(files, incoming, await findFile(files, caller, id))
      return undefined
    case 'delete':
      await findFile(files, caller, id)
      await files.remove(caller.userId, id)
      return deletedFile(dialect, id)
  }
}

async function findFile(files: FileStore, { userId }: Caller, id: string): Promise<StoredFile> {
  const file = await files.find(userId, id)
  if (!file) throw new ApiError('file_not_found', { id })
  return file
}

const OPENAI_MAX = 10_000
const ANTHROPIC_MAX = 1_000
const ANTHROPIC_DEFAULT = 20

async function listForOpenai(files: FileStore, { incoming, caller: { userId } }: FileRequest): Promise<object> {
  const query = queryOf(incoming)
  const limit = readLimit(query, { max: OPENAI_MAX, usual: OPENAI_MAX })
  const order = query.get('order') ?? 'desc'
  requireField(order === 'asc' || order === 'desc', 'order must be asc or desc')
  const purpose = query.get('purpose') ?? undefined
  const found = await files.list({ userId, limit: limit + 1, order, after: query.get('after') ?? undefined, purpose })
  return { object: 'list', ...pageOf('openai-chat', found, limit) }
}

/** A page of the pager of newer clients (`page`), and of the one before (`after_id`). */
async function listForAnthropic(files: FileStore, { incoming, caller: { userId } }: FileRequest): Promise<object> {
  const query = queryOf(incoming)
  const ids = [...query.getAll('ids'), ...query.getAll('ids[]')]
  if (ids.length > 0) {
    const found = await Promise.all(ids.slice(0, ANTHROPIC_MAX).map((id) => files.find(userId, id)))
    const data = found.filter((file) => file !== undefined)
    return { ...pageOf('anthropic-messages', data, data.length), next_page: null }
  }
  const limit = readLimit(query, { max: ANTHROPIC_MAX, usual: ANTHROPIC_DEFAULT })
  const after = query.get('page') ?? query.get('after_id') ?? undefined
  const found = await files.list({ userId, limit: limit + 1, order: 'desc', after, purpose: undefined })
  const page = pageOf('anthropic-messages', found, limit)
  return { ...page, next_page: page.has_more ? page.last_id : null }
}

function pageOf(dialect: DialectId, found: readonly StoredFile[], limit: number) {
  const data = found.slice(0, limit)
  return {
    data: data.map((file) => showFile(dialect, file)),
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  }
}

/** Sends the content as it is read. Browsers must not run it. */
async function sendContent(files: FileStore, { writer }: ApiRequest, file: StoredFile): Promise<void> {
  writer.openRaw(200, {
    'content-type': isPlain(file.mimeType) ? file.mimeType : 'application/octet-stream',
    'content-length': String(file.bytes),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
  })
  for await (const part of files.read(file.id)) {
    if (writer.isClosed) return
    await writer.write(part)
  }
  writer.end('')
}

/** A header cannot contain every text that a client may send as a type. */
function isPlain(mimeType: string): boolean {
  return /^[\w.+-]+\/[\w.+-]+$/.test(mimeType)
}
