import type { OptionChange } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { openSettings, press } from '../test-settings.tsx'

const aChange = (changes: Partial<OptionChange>): OptionChange => ({
  id: 7,
  created_at: 1_770_000_000,
  actor_id: 1,
  actor: 'captain',
  key: 'GroupRatio',
  secret: false,
  before: '{"default":1,"vip":2}',
  after: '{"default":1}',
  way: 'edit',
  ...changes,
})

const HISTORY = 'GET /api/option/history'
const RESTORE = 'POST /api/option/history/7/restore'

function openHistory(items: OptionChange[], routes: Parameters<typeof openSettings>[0] = {}) {
  const page = succeeded({ items, total: items.length, page: 1, page_size: 20 })
  return openSettings({ at: '?tab=ratelimit&panel=history', ...routes, routes: { [HISTORY]: page, ...routes.routes } })
}

/** The question is a dialog beside that of the history. */
async function findQuestion() {
  const title = await screen.findByText('恢复分组倍率？', { selector: '.ant-modal-confirm-title' })
  return title.closest<HTMLElement>('[role="dialog"]')!
}

const entryOf = async (name: string) => {
  const heading = await screen.findByText(name, { selector: 'h3' })
  return within(heading.closest('li')!)
}

describe('the history', () => {
  it('says who changed what from what, by the entries of a map', async () => {
    openHistory([aChange({})])

    const entry = await entryOf('分组倍率')

    entry.getByText('captain')
    expect(entry.getByText('vip').closest('div')!.textContent).toBe('vip从2删去')
    expect(entry.queryByText('default')).toBeNull()
  })

  it('shows a switch in words, long texts line by line, and nothing of a secret', async () => {
    openHistory([
      aChange({ id: 1, key: 'PasswordLoginEnabled', before: 'true', after: 'false' }),
      aChange({ id: 2, key: 'SMTPServer', before: 'a\nb', after: 'a\nc', way: 'restore' }),
      aChange({
        id: 3,
        key: 'SMTPToken',
        secret: true,
        before: null,
        after: null,
        actor_id: 0,
        actor: '',
        way: 'file',
      }),
    ])

    expect((await entryOf('允许密码登录')).getByText('关闭').tagName).toBe('INS')
    const lines = (await entryOf('SMTP 服务器')).getByRole('region', { name: '逐行对比' })
    expect([...lines.children].map((line) => line.textContent)).toEqual([' a', '−b', '+c'])
    const secret = await entryOf('SMTP 密码')
    secret.getByText('已更换。密钥不保留历史值，不能恢复。')
    secret.getByText('命令行或系统')
    secret.getByText('配置文件')
    expect(secret.queryByRole('button')).toBeNull()
  })

  it('takes a change back after a question that shows what will be set', async () => {
    const { seen } = openHistory([aChange({})], { routes: { [RESTORE]: succeeded() } })
    fireEvent.click(await screen.findByText('恢复旧值'))
    const question = await findQuestion()
    expect(question.textContent).toContain('vip新增改为2')

    fireEvent.click(within(question).getByRole('button', { name: '恢复' }))

    await screen.findByText('已恢复分组倍率')
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toContain(RESTORE)
    await waitFor(() => expect(seen.filter(({ path }) => path === '/api/option/history')).toHaveLength(2))
  })

  it('tells why a change cannot be taken back, by the names of options', async () => {
    const refusal = refused('option_guard_in_use', 'PasswordLoginEnabled 已开启，不能清空 SMTPServer')
    openHistory([aChange({})], { routes: { [RESTORE]: refusal } })
    fireEvent.click(await screen.findByText('恢复旧值'))

    fireEvent.click(within(await findQuestion()).getByRole('button', { name: '恢复' }))

    await screen.findByText('允许密码登录 已开启，不能清空 SMTP 服务器')
  })

  it('offers no way back to what is set already', async () => {
    openHistory([aChange({ before: '{"default":1}', after: '{"default":2}' })])

    ;(await entryOf('分组倍率')).getByText('旧值就是当前值')
  })

  it('opens at one option from its field, and keeps it in the address', async () => {
    const { seen, address } = openHistory([], { at: '?tab=system' })
    await screen.findByLabelText('SMTP 服务器')

    press('SMTP 服务器的修改历史')

    await screen.findByText('这一项还没有修改过')
    expect(address()).toBe('/admin/settings?tab=system&panel=history&option=SMTPServer')
    expect(seen.find(({ path }) => path === '/api/option/history')?.query).toMatchObject({ key: 'SMTPServer' })
  })
})
