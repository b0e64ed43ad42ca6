import type { ReactNode } from 'react'
import { ApiError } from '../../api/errors.ts'
import { PALETTES, type ThemeMode } from '../../lib/theme/palette.ts'
import { chooseThemeMode } from '../../lib/theme/theme-mode.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { ResourceTable } from '../../components/resource/resource-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { App, Button, Form, Input, InputNumber, Select, Switch } from '../../ui/kit/index.ts'
import { Money } from '../../components/money.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { Time } from '../../ui/page/time.tsx'
import styles from './dev-ui.module.css'

/** All UI components on one page, for developers. In English only, and not part of a release. */
export default function DevUiPage() {
  return (
    <>
      <PageHeader
        title="Building blocks"
        purpose="Everything a screen is made of, in the theme chosen here."
        action={<ThemeChoice />}
      />
      <div className={styles.blocks}>
        {(['light', 'dark'] as const).map((mode) => (
          <Block key={mode} title={`Colours, ${mode}`}>
            <Swatches mode={mode} />
          </Block>
        ))}
        <Block title="Typography">
          <h1>Page title 20/28</h1>
          <p>Base text 14 px. 渠道、令牌、额度、倍率。</p>
          <p className="secondary">Secondary text for hints.</p>
          <p className="mono">sk-abcdef0123 · gpt-4o-mini</p>
          <p className="number">1,234,567 · 0.000123</p>
        </Block>
        <Block title="Buttons">
          <Buttons />
        </Block>
        <Block title="Tags">
          {(['good', 'warn', 'bad', 'info', 'neutral'] as const).map((tone) => (
            <StatusTag key={tone} tone={tone}>
              {tone}
            </StatusTag>
          ))}
        </Block>
        <Block title="Money, time, copy">
          <Facts
            facts={[
              { term: 'Balance', value: <Money quota={61_728_394} /> },
              { term: 'Single call', value: <Money quota={61} kind="call" /> },
              { term: 'Time', value: <Time unixSeconds={SAMPLE_TIME} /> },
              { term: 'Copy', value: <CopyButton text="copied text" label="Copy sample" /> },
            ]}
          />
        </Block>
        <Block title="Form">
          <SampleForm />
        </Block>
        <Block title="Table">
          <SampleTable
            rows={[
              { name: 'gpt-4o', calls: 1204 },
              { name: 'a-model-with-a-very-long-name', calls: 7 },
            ]}
          />
        </Block>
        <Block title="Loading">
          <SampleTable />
        </Block>
        <Block title="Empty and failed">
          <EmptyState
            title="Nothing here yet"
            hint="One sentence on what would be here."
            action={<Button>Fill it</Button>}
          />
          <LoadError title="This could not be loaded" error={SAMPLE_ERROR} onRetry={() => {}} />
        </Block>
      </div>
    </>
  )
}

const SAMPLE_TIME = Math.floor(Date.now() / 1000) - 7200
const SAMPLE_ERROR = new ApiError({
  status: 503,
  code: 'unknown',
  serverMessage: 'Try shortly',
  requestId: 'req-7f3a',
})

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.block}>
      <h2>{title}</h2>
      <div className={styles.content}>{children}</div>
    </section>
  )
}

function ThemeChoice() {
  return (
    <>
      <Button onClick={() => chooseThemeMode('light')}>Light</Button>
      <Button onClick={() => chooseThemeMode('dark')}>Dark</Button>
    </>
  )
}

function Swatches({ mode }: { mode: ThemeMode }) {
  return Object.entries(PALETTES[mode])
    .filter(([name]) => name !== 'shadow')
    .map(([name, colour]) => (
      <figure key={name} className={styles.swatch}>
        <span style={{ background: colour }} />
        <figcaption>
          {name} <span className="mono secondary">{colour}</span>
        </figcaption>
      </figure>
    ))
}

function Buttons() {
  const { message } = App.useApp()
  return (
    <>
      <Button type="primary">Primary</Button>
      <Button>Default</Button>
      <Button type="text">Text</Button>
      <Button danger>Delete</Button>
      <Button disabled>Disabled</Button>
      <Button loading>Loading</Button>
      <Button onClick={() => void message.success('Saved')}>Success toast</Button>
      <Button onClick={() => void message.error('Could not be saved')}>Error toast</Button>
    </>
  )
}

function SampleForm() {
  return (
    <Form layout="vertical" className={styles.form}>
      <Form.Item
        label="Name"
        name="name"
        extra="One line of help"
        rules={[{ required: true, message: 'Enter a name' }]}
      >
        <Input />
      </Form.Item>
      <Form.Item label="Group" name="group">
        <Select options={[{ value: 'default' }, { value: 'vip' }]} />
      </Form.Item>
      <Form.Item label="Amount" name="amount">
        <InputNumber prefix="$" min={0} />
      </Form.Item>
      <Form.Item label="Enabled" name="enabled" valuePropName="checked">
        <Switch />
      </Form.Item>
      <Button type="primary" htmlType="submit">
        Save
      </Button>
    </Form>
  )
}

interface SampleRow {
  name: string
  calls: number
}

function SampleTable({ rows }: { rows?: SampleRow[] }) {
  return (
    <div className={styles.table}>
      <ResourceTable
        label="Sample"
        rows={rows}
        rowKey={(row) => row.name}
        columns={[
          { key: 'name', title: 'Model', render: (_, row) => <span className="mono">{row.name}</span> },
          {
            key: 'calls',
            title: 'Calls',
            align: 'right',
            render: (_, row) => <span className="number">{row.calls}</span>,
          },
        ]}
        renderCard={(row) => row.name}
        refreshing={false}
        error={null}
        onRetry={() => {}}
        empty={null}
      />
    </div>
  )
}
