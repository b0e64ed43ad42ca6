import type { Batch } from '@tidegate/contract/api'
import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, succeeded } from '../../../test/fake-server.ts'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import BatchesPage from './batches-page.tsx'

const aBatch = (changes: Partial<Batch> = {}): Batch => ({
  id: 'batch_1',
  user_id: 7,
  username: '',
  token_name: 'nightly',
  protocol: 'openai',
  endpoint: '/v1/chat/completions',
  model: 'gpt-4o-mini',
  status: 'completed',
  runs_at: 'site',
  price_tier: 'standard',
  channel_id: 0,
  channel_name: '',
  total: 1200,
  succeeded: 1190,
  failed: 10,
  quota: 50_000,
  created_at: 1_763_200_000,
  ended_at: 1_763_203_600,
  expires_at: 1_763_286_400,
  has_output: true,
  has_errors: true,
  fail_reason: '',
  ...changes,
})

function open(batches: Batch[], { role = 1, at = '' } = {}) {
  rememberUser(aUser({ id: 7, username: 'mira', role }))
  const page = succeeded({ items: batches, total: batches.length, page: 1, page_size: 20 })
  const server = fakeServer({
    'GET /api/batch': page,
    'GET /api/batch/self': page,
    'POST /api/batch/self/cancel': succeeded(null),
    'POST /api/batch/cancel': succeeded(null),
  })
  renderScreen(BatchesPage, { at: `/app/batches${at}` })
  return (path: string) => server.seen.filter((request) => request.path === path)
}

const openMenu = async (name: RegExp) => fireEvent.click(await screen.findByRole('button', { name }))

describe('the list of batches', () => {
  it('shows state, progress and cost of the own batches', async () => {
    const requested = open([aBatch()], { at: '?status=completed' })

    const row = await screen.findByRole('row', { name: /batch_1/ })

    expect(row.textContent).toMatch(/nightly.*gpt-4o-mini.*部分失败.*本站（标准价格）.*1,200 \/ 1,200.*10.*\$0\.1/)
    expect(requested('/api/batch/self')[0]!.query).toMatchObject({ status: 'completed', p: '1' })
    expect(requested('/api/batch')).toEqual([])
  })

  it('calls a batch completed only if no request failed, and copies its whole ID', async () => {
    const writeText = vi.fn().mockResolvedValue(undefined)
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
    const id = 'batch_0f31a52c9d664e0f8b3a71d2c4e5a6b7'
    open([aBatch({ id, succeeded: 1200, failed: 0 })])
    const row = await screen.findByRole('row', { name: /batch_0f31/ })
    expect(row.textContent).toContain('已完成')

    fireEvent.click(within(row).getByRole('button', { name: `复制批次 ID ${id}` }))

    expect(writeText).toHaveBeenCalledWith(id)
    expect(within(row).getByTitle(id).textContent).toBe('batch_0f31…e5a6b7')
  })

  it('offers the files of an ended batch, and no cancellation', async () => {
    open([aBatch()])

    await openMenu(/batch_1 的操作/)

    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(items).toEqual(['下载结果', '下载错误'])
  })

  it('cancels a running batch after a question', async () => {
    const requested = open([
      aBatch({ status: 'in_progress', succeeded: 300, failed: 0, ended_at: 0, has_output: false, has_errors: false }),
    ])
    expect((await screen.findByRole('progressbar')).getAttribute('value')).toBe('300')

    await openMenu(/batch_1 的操作/)
    fireEvent.click(await screen.findByRole('menuitem', { name: '取消批次' }))
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: '取消批次' }))

    await expect.poll(() => requested('/api/batch/self/cancel')).toMatchObject([{ body: { id: 'batch_1' } }])
  })

  it('shows administrators the batches of all users, without their contents', async () => {
    const passedOn = { runs_at: 'provider', price_tier: 'batch', channel_id: 4, channel_name: 'main account' }
    const requested = open([aBatch({ user_id: 9, username: 'alex', ...passedOn })], { role: 10 })

    const row = await screen.findByRole('row', { name: /batch_1/ })

    expect(within(row).getByRole('link', { name: 'alex' })).toBeTruthy()
    expect(within(row).getByRole('link', { name: 'main account（批次价格）' })).toBeTruthy()
    expect(within(row).queryByRole('button', { name: /的操作/ })).toBeNull()
    expect(requested('/api/batch')).toHaveLength(1)
  })

  it('shows users that the provider runs a batch, without the channel', async () => {
    open([aBatch({ runs_at: 'provider', price_tier: 'batch' })])

    expect((await screen.findByRole('row', { name: /batch_1/ })).textContent).toContain('供应商（批次价格）')
  })

  it('shows costs with equal decimals on a phone', async () => {
    showOnPhone()
    open([aBatch({ quota: 50_000 }), aBatch({ id: 'batch_2', quota: 50_500 })])

    expect(await screen.findByText('$0.100')).toBeTruthy()
    expect(screen.getByText('$0.101')).toBeTruthy()
  })

  it('shows cards on a phone', async () => {
    showOnPhone()
    open([aBatch({ status: 'failed', fail_reason: 'The input file has no requests.', total: 0 })])

    expect(await screen.findByText('失败')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })
})
