import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { InlineNumber } from '../../ui/form/inline-number.tsx'
import { Button, Form, Input, Select, Switch, type TableProps } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowButton } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { numberProblem } from './amounts.ts'
import type { Group, GroupSettings } from './groups.ts'
import styles from './prices.module.css'

interface Props {
  settings: GroupSettings
  onChange(settings: GroupSettings): void
}

/** Group names may not contain commas, because channels separate their groups with commas. */
const GROUP_NAME = /^(?!\s)[^,\p{Cc}]{1,64}(?<!\s)$/u
/** The server relies on this group. */
const REQUIRED_GROUP = 'default'

/** The price multiplier of each group, and who may choose it. */
export function GroupsTab({ settings, onChange }: Props) {
  const { t } = useTranslation('settings')
  const { groups } = settings
  const set = (name: string, changes: Partial<Group>) =>
    onChange({ ...settings, groups: groups.map((group) => (group.name === name ? { ...group, ...changes } : group)) })
  const remove = (name: string) =>
    onChange({
      ...settings,
      groups: groups.filter((group) => group.name !== name),
      auto: settings.auto.filter((other) => other !== name),
    })
  const cellsOf = (group: Group): CellProps => ({
    group,
    onChange: (changes) => set(group.name, changes),
    onRemove: () => remove(group.name),
  })
  const columns: NonNullable<TableProps<Group>['columns']> = [
    { key: 'name', title: t('prices.groupTab.name'), render: (_, { name }) => <span className="mono">{name}</span> },
    {
      key: 'ratio',
      title: t('prices.groupRatio'),
      align: 'right',
      render: (_, group) => <RatioCell {...cellsOf(group)} />,
    },
    { key: 'usable', title: t('prices.groupTab.usable'), render: (_, group) => <UsableCell {...cellsOf(group)} /> },
    {
      key: 'description',
      title: t('prices.groupTab.description'),
      render: (_, group) => <DescriptionCell {...cellsOf(group)} />,
    },
    {
      key: 'actions',
      title: <span className="visually-hidden">{t('prices.columns.actions')}</span>,
      align: 'right',
      render: (_, group) => <RemoveButton {...cellsOf(group)} />,
    },
  ]
  return (
    <>
      <div className={styles.tools}>
        <p className={styles.lead}>{t('prices.groupTab.hint')}</p>
        <AddGroup
          taken={groups.map(({ name }) => name)}
          onAdd={(name) =>
            onChange({ ...settings, groups: [...groups, { name, ratio: 1, isUsable: false, description: '' }] })
          }
        />
      </div>
      <DataTable<Group>
        label={t('prices.groupTab.list')}
        rows={groups}
        rowKey={({ name }) => name}
        columns={columns}
        renderCard={(group) => (
          <RowCard title={<span className="mono">{group.name}</span>} actions={<RemoveButton {...cellsOf(group)} />}>
            <Facts
              facts={[
                { term: t('prices.groupRatio'), value: <RatioCell {...cellsOf(group)} /> },
                { term: t('prices.groupTab.usable'), value: <UsableCell {...cellsOf(group)} /> },
                { term: t('prices.groupTab.description'), value: <DescriptionCell {...cellsOf(group)} /> },
              ]}
            />
          </RowCard>
        )}
        dense
        refreshing={false}
        empty={<EmptyState title={t('prices.groupTab.empty')} />}
      />
      <AutoGroup settings={settings} onChange={onChange} />
    </>
  )
}

interface CellProps {
  group: Group
  onChange(changes: Partial<Group>): void
  onRemove(): void
}

function RatioCell({ group: { name, ratio }, onChange }: CellProps) {
  const { t } = useTranslation('settings')
  const check = (text: string) => {
    const problem = numberProblem(text)
    return problem && t(`prices.errors.${problem}`)
  }
  return (
    <InlineNumber
      label={t('prices.groupTab.ratioOf', { name })}
      value={ratio}
      check={check}
      onSave={async (next) => onChange({ ratio: next })}
      wide
    />
  )
}

function DescriptionCell({ group: { name, isUsable, description }, onChange }: CellProps) {
  const { t } = useTranslation('settings')
  if (!isUsable) return <span className="secondary">–</span>
  return (
    <Input
      className={styles.description}
      size="small"
      maxLength={256}
      aria-label={t('prices.groupTab.descriptionOf', { name })}
      placeholder={name}
      value={description}
      onChange={(event) => onChange({ description: event.target.value })}
    />
  )
}

function UsableCell({ group: { name, isUsable, description }, onChange }: CellProps) {
  const { t } = useTranslation('settings')
  return (
    <label className={styles.usable}>
      <Switch
        size="small"
        aria-label={t('prices.groupTab.usableOf', { name })}
        checked={isUsable}
        onChange={(next) => onChange({ isUsable: next, description: description || name })}
      />
      <span className="secondary">{t(isUsable ? 'prices.groupTab.everyone' : 'prices.groupTab.assigned')}</span>
    </label>
  )
}

function RemoveButton({ group: { name }, onRemove }: CellProps) {
  const { t } = useTranslation('settings')
  const label = t('prices.groupTab.remove', { name })
  return (
    <RowButton label={label} title={label} disabled={name === REQUIRED_GROUP} onClick={onRemove}>
      <DeleteOutlined aria-hidden />
    </RowButton>
  )
}

function AddGroup({ taken, onAdd }: { taken: readonly string[]; onAdd(name: string): void }) {
  const { t } = useTranslation('settings')
  const [name, setName] = useState('')
  const trimmed = name.trim()
  const problem = taken.includes(trimmed)
    ? t('prices.groupTab.taken')
    : trimmed !== '' && !GROUP_NAME.test(trimmed)
      ? t('prices.groupTab.invalid')
      : undefined
  const add = () => {
    if (trimmed === '' || problem) return
    onAdd(trimmed)
    setName('')
  }
  return (
    <Form layout="inline" className={styles.addGroup} onFinish={add}>
      <Form.Item validateStatus={problem ? 'error' : ''} {...(problem && { help: problem })}>
        <Input
          aria-label={t('prices.groupTab.newName')}
          placeholder={t('prices.groupTab.newName')}
          autoComplete="off"
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Form.Item>
      <Button htmlType="submit" icon={<PlusOutlined aria-hidden />} disabled={trimmed === '' || problem !== undefined}>
        {t('prices.groupTab.add')}
      </Button>
    </Form>
  )
}

/** Which groups a token of the group `auto` tries. */
function AutoGroup({ settings, onChange }: Props) {
  const { t } = useTranslation('settings')
  const id = useId()
  return (
    <section className={styles.autoGroup} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={styles.detailTitle}>
        {t('prices.groupTab.auto')}
      </h2>
      <p className={styles.lead}>{t('prices.groupTab.autoHint')}</p>
      <Select<string[]>
        className={styles.autoSelect}
        mode="multiple"
        aria-label={t('prices.groupTab.autoOrder')}
        placeholder={t('prices.groupTab.autoOrder')}
        value={[...settings.auto]}
        onChange={(auto) => onChange({ ...settings, auto })}
        options={settings.groups.map(({ name }) => ({ value: name, label: name }))}
      />
      <label className={styles.usable}>
        <Switch
          size="small"
          aria-label={t('prices.groupTab.autoDefault')}
          checked={settings.isAutoDefault}
          onChange={(isAutoDefault) => onChange({ ...settings, isAutoDefault })}
        />
        <span>{t('prices.groupTab.autoDefault')}</span>
      </label>
    </section>
  )
}
