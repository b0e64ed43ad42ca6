import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import type { GroupCounts } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatCount } from '../../lib/format.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button, Form, Input, Modal, Select, Switch, type InputRef } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowButton } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { numberProblem } from './amounts.ts'
import { groupCountsQuery } from './api.ts'
import type { Group, GroupSettings } from './groups.ts'
import { PriceCell } from './price-cell.tsx'
import styles from './prices.module.css'

interface Props {
  settings: GroupSettings
  onChange(settings: GroupSettings): void
}

/** Group names may not contain commas, because channels separate their groups with commas. */
const GROUP_NAME = /^(?!\s)[^,\p{Cc}]{1,64}(?<!\s)$/u
/** The server relies on this group. */
const REQUIRED_GROUP = 'default'

/** The price multiplier of each group, who may choose it, and its size. */
export function GroupsTab({ stored, settings, onChange }: Props & { stored: GroupSettings }) {
  const { t } = useTranslation('settings')
  const { data: counts = {} } = useQuery(groupCountsQuery)
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
    before: stored.groups.find(({ name }) => name === group.name),
    counts: Object.hasOwn(counts, group.name) ? counts[group.name] : undefined,
    onChange: (changes) => set(group.name, changes),
    onRemove: () => remove(group.name),
  })
  const columns: Column<Group>[] = [
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
    ...COUNTS.map((of) => ({
      key: of,
      title: t(`prices.groupTab.${of}`),
      align: 'right' as const,
      ...(of !== 'users' && { from: 1024 as const }),
      render: (_: unknown, group: Group) => <CountCell {...cellsOf(group)} of={of} />,
    })),
    {
      key: 'actions',
      title: <span className="visually-hidden">{t('prices.columns.actions')}</span>,
      align: 'right',
      render: (_, group) => <RemoveButton {...cellsOf(group)} />,
    },
  ]
  return (
    <>
      <p className={styles.lead}>{t('prices.groupTab.hint')}</p>
      <DataTable<Group>
        label={t('prices.groupTab.list')}
        rows={groups}
        rowKey={({ name }) => name}
        columns={columns}
        renderCard={(group) => (
          <RowCard
            title={<span className="mono">{group.name}</span>}
            note={group.isUsable && group.description}
            aside={<RatioCell {...cellsOf(group)} />}
            actions={<RemoveButton {...cellsOf(group)} />}
            details={
              <Facts
                facts={[
                  { term: t('prices.groupTab.usable'), value: <UsableCell {...cellsOf(group)} /> },
                  { term: t('prices.groupTab.description'), value: <DescriptionCell {...cellsOf(group)} /> },
                  ...COUNTS.map((of) => ({
                    term: t(`prices.groupTab.${of}`),
                    value: <CountCell {...cellsOf(group)} of={of} />,
                  })),
                ]}
              />
            }
          />
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
  /** As it is stored; undefined for a new group. */
  before: Group | undefined
  /** Undefined for a new group, and until they are loaded. */
  counts: GroupCounts | undefined
  onChange(changes: Partial<Group>): void
  onRemove(): void
}

function RatioCell({ group: { name, ratio }, before, onChange }: CellProps) {
  const { t } = useTranslation('settings')
  const enter = (text: string) => {
    const problem = numberProblem(text)
    if (problem) return t(`prices.errors.${problem}`)
    if (text.trim() !== '') onChange({ ratio: Number(text) })
    return null
  }
  return (
    <PriceCell
      label={t('prices.groupTab.ratioOf', { name })}
      before={before?.ratio ?? undefined}
      after={ratio ?? undefined}
      decimals={2}
      isRatio
      isEditable
      onEnter={enter}
    />
  )
}

/** A text that turns into a field, like a price. Enter and blur apply it, Escape restores. */
function DescriptionCell({ group: { name, isUsable, description }, before, onChange }: CellProps) {
  const { t } = useTranslation('settings')
  const [draft, setDraft] = useState<string | null>(null)
  const returnsFocus = useRef(false)
  if (!isUsable) return <span className="secondary">–</span>
  const label = t('prices.groupTab.descriptionOf', { name })
  const shown = description || name
  const done = (isByKey: boolean) => {
    returnsFocus.current = isByKey
    if (draft !== null && draft.trim() !== description) onChange({ description: draft.trim() })
    setDraft(null)
  }
  if (draft !== null) {
    return (
      <Input
        ref={(field) => field?.focus()}
        className={styles.description}
        size="small"
        maxLength={256}
        aria-label={label}
        placeholder={name}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => done(false)}
        onPressEnter={() => done(true)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          returnsFocus.current = true
          setDraft(null)
        }}
      />
    )
  }
  return (
    <span className={styles.start}>
      <button
        type="button"
        className={`${styles.cell} ${styles.description}`}
        data-changed={shown !== (before?.description || name) || undefined}
        aria-label={`${label}: ${shown}`}
        ref={(button) => {
          if (button && returnsFocus.current) button.focus({ preventScroll: true })
          returnsFocus.current = false
        }}
        onClick={() => setDraft(description)}
      >
        <EditOutlined className={styles.pencil} aria-hidden />
        <span className={styles.ellipsis}>{shown}</span>
      </button>
    </span>
  )
}

const COUNTS = ['users', 'channels', 'models'] as const

/** The number of users, channels or models of a group, with a link to their list. */
function CountCell({ group: { name }, counts, of }: CellProps & { of: (typeof COUNTS)[number] }): ReactNode {
  if (!counts) return <span className="secondary">–</span>
  const count = <span className="number">{formatCount(counts[of])}</span>
  return of === 'models' ? count : <Link to={`/admin/${of}?group=${encodeURIComponent(name)}`}>{count}</Link>
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

/** Adds a group to the draft. */
export function AddGroupButton({ settings, onChange }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const id = useId()
  const field = useRef<InputRef>(null)
  const [name, setName] = useState<string | null>(null)
  const trimmed = (name ?? '').trim()
  const problem = settings.groups.some((group) => group.name === trimmed)
    ? t('prices.groupTab.taken')
    : trimmed !== '' && !GROUP_NAME.test(trimmed)
      ? t('prices.groupTab.invalid')
      : undefined
  const add = () => {
    if (trimmed === '' || problem) return
    const group: Group = { name: trimmed, ratio: 1, isUsable: false, description: '' }
    onChange({ ...settings, groups: [...settings.groups, group] })
    setName(null)
  }
  return (
    <>
      <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setName('')}>
        {t('prices.groupTab.add')}
      </Button>
      <Modal
        title={t('prices.groupTab.add')}
        open={name !== null}
        width={420}
        okText={t('prices.groupTab.add')}
        okButtonProps={{ disabled: trimmed === '' || problem !== undefined }}
        cancelText={common('cancel')}
        onOk={add}
        onCancel={() => setName(null)}
        afterOpenChange={(isOpen) => isOpen && field.current?.focus()}
        destroyOnHidden
      >
        <Form layout="vertical" onFinish={add}>
          <Form.Item
            label={t('prices.groupTab.newName')}
            htmlFor={id}
            validateStatus={problem ? 'error' : ''}
            {...(problem && { help: problem })}
          >
            <Input
              ref={field}
              id={id}
              autoComplete="off"
              maxLength={64}
              value={name ?? ''}
              onChange={(event) => setName(event.target.value)}
            />
          </Form.Item>
        </Form>
      </Modal>
    </>
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
