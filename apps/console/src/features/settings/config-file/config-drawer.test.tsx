import type { ConfigPlan } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { openSettings, press, write } from '../../../../test/settings-screen.tsx'

const PLAN = 'POST /api/config/plan'
const APPLY = 'POST /api/config/apply'
const YAML = 'tidegate: 1'

const plan: ConfigPlan = {
  version: 41,
  items: [
    {
      kind: 'option',
      name: 'GroupRatio',
      action: 'update',
      changes: [{ field: 'vip', before: '2', after: '3', secret: false }],
    },
    {
      kind: 'option',
      name: 'SMTPToken',
      action: 'update',
      changes: [{ field: '', before: null, after: null, secret: true }],
    },
    { kind: 'option', name: 'SMTPServer', action: 'unchanged', changes: [] },
    {
      kind: 'channel',
      name: 'claude',
      action: 'create',
      changes: [
        { field: 'type', before: null, after: '14', secret: false },
        { field: 'keys', before: null, after: null, secret: true },
      ],
    },
    { kind: 'channel', name: 'old', action: 'delete', changes: [] },
  ],
}

/** The confirmation is a second dialog beside the drawer. */
async function findConfirm() {
  const title = await screen.findByText('应用 4 项改动？', { selector: '.ant-modal-confirm-title' })
  return within(title.closest<HTMLElement>('[role="dialog"]')!)
}

async function showPlan(routes: Parameters<typeof openSettings>[0], text = YAML) {
  const view = openSettings({ at: '?tab=ratelimit&panel=config', ...routes })
  fireEvent.change(await screen.findByLabelText('文件内容'), { target: { value: text } })
  press('查看改动')
  return view
}

describe('a configuration file', () => {
  it('is applied after a plan and a confirmation', async () => {
    const { seen } = await showPlan({ routes: { [PLAN]: succeeded(plan), [APPLY]: succeeded(plan) } })
    const shown = within(await screen.findByRole('region', { name: '将要做的改动' }))
    for (const text of ['新建 1', '修改 2', '删除 1', '不变 1', '分组倍率', '密钥会更换', 'Anthropic', 'old']) {
      shown.getByText(text)
    }

    press('应用 4 项改动')
    const confirm = await findConfirm()
    confirm.getByText('其中会删除 1 个渠道及其密钥，无法恢复。')
    fireEvent.click(confirm.getByRole('button', { name: '应用' }))

    await screen.findByText('已应用 4 项改动')
    const sent = seen.find(({ path }) => path === '/api/config/apply')
    expect(sent?.body).toEqual({ yaml: YAML, prune: false, expect_version: 41 })
  })

  it('shows its problems by line', async () => {
    const problems = [
      { line: 3, place: 'options.Tide', zh: '未知的设置项', en: 'no such option' },
      { line: 9, place: '', zh: '缩进不对', en: 'bad indentation' },
    ]
    await showPlan({ routes: { [PLAN]: refused('config_file_invalid', '两处问题', 200, { problems }) } })

    await screen.findByText('文件有 2 处问题，没有做任何修改')
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(
      expect.arrayContaining(['第 3 行options.Tide未知的设置项', '第 9 行缩进不对']),
    )
  })

  it('needs a new plan when it is edited or when the site has changed', async () => {
    const stale = refused('config_changed_meanwhile', '站点设置在此期间有变化')
    await showPlan({ routes: { [PLAN]: succeeded(plan), [APPLY]: stale } })
    fireEvent.click(await screen.findByRole('button', { name: '应用 4 项改动' }))
    fireEvent.click((await findConfirm()).getByRole('button', { name: '应用' }))
    await screen.findByText('站点设置在此期间有变化')

    write('文件内容', 'tidegate: 1 # edited')

    await waitFor(() => expect(screen.queryByRole('region', { name: '将要做的改动' })).toBeNull())
    expect(screen.queryByText('站点设置在此期间有变化')).toBeNull()
  })

  it('asks for the passphrase of encrypted secrets', async () => {
    const { seen } = openSettings({
      at: '?tab=ratelimit&panel=config',
      routes: { [PLAN]: succeeded({ version: 1, items: [] }) },
    })
    const text = 'tidegate: 1\noptions: {SMTPToken: sealed:v1:abc}'
    fireEvent.change(await screen.findByLabelText('文件内容'), { target: { value: text } })

    write('文件的加密口令', 'low tide at noon')
    press('查看改动')

    await screen.findByText('站点已经与文件一致，没有需要改动的地方')
    const sent = seen.find(({ path }) => path === '/api/config/plan')
    expect(sent?.body).toMatchObject({ yaml: text, passphrase: 'low tide at noon' })
  })

  it('is exported with secrets only if the passphrase is long enough', async () => {
    openSettings({ at: '?tab=ratelimit&panel=config' })
    fireEvent.click(await screen.findByLabelText('包含密钥（用口令加密）'))
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: '下载配置文件' })

    write('加密口令', 'short')
    expect(button().disabled).toBe(true)
    write('加密口令', 'long enough')

    expect(button().disabled).toBe(false)
  })
})
