import * as api from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { call } from '../../api/client.ts'
import { usePageState } from '../../lib/url-state.ts'
import { ResourceList } from './resource-list.tsx'

interface Props {
  load(): Promise<{ rows: { id: number }[] }>
  refresh?: { busy: boolean; run(): unknown } | null
}

const COLUMNS = [{ key: 'id', title: 'ID', dataIndex: 'id' }]

function List({ load, ...options }: Props) {
  const pages = usePageState()
  const query = useQuery({ queryKey: ['rows', pages.page], queryFn: load, retry: false })
  return (
    <ResourceList
      label="rows"
      query={query}
      pages={pages}
      rowKey={({ id }) => id}
      columns={COLUMNS}
      renderCard={({ id }) => id}
      empty={{ title: 'nothing here' }}
      {...options}
    />
  )
}

const open = (props: Props, at = '/rows') => renderScreen(() => <List {...props} />, { at })

describe('ResourceList', () => {
  it('links to the first page if a page is too deep', async () => {
    fakeServer({ 'GET /api/mj': refused('page_too_deep', '翻页过深，请缩小时间范围') })
    const load = async () => ({ rows: (await call(api.listDrawings)).map(({ id }) => ({ id })) })
    const { address } = open({ load }, '/rows?page=2000')

    expect((await screen.findByRole('alert')).textContent).toContain('翻页过深，请缩小时间范围')
    fireEvent.click(screen.getByRole('button', { name: '回到第一页' }))

    await waitFor(() => expect(address()).toBe('/rows'))
  })

  it('calls the refresh function of its parent', async () => {
    const run = vi.fn()
    const load = vi.fn(() => Promise.resolve({ rows: [] }))
    open({ load, refresh: { busy: false, run } })
    await screen.findByText('nothing here')

    fireEvent.click(screen.getByRole('button', { name: '刷新' }))

    expect(run).toHaveBeenCalledTimes(1)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('has no refresh button if the page has one', async () => {
    open({ load: () => Promise.resolve({ rows: [] }), refresh: null })

    await screen.findByText('nothing here')

    expect(screen.queryByRole('button', { name: '刷新' })).toBeNull()
  })
})
