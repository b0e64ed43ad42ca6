import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { Button, Input } from '../../../ui/kit/index.ts'
import styles from '../settings.module.css'

interface Props {
  /** The form sets these three. */
  id?: string
  value?: string
  onChange?(value: string): void
  label: string
  /** Further buttons below the list. */
  tools: ReactNode
}

interface Link {
  name: string
  address: string
}

/** Names and addresses of chats, one row each. The value is JSON, which can be edited instead. */
export function ChatLinkList({ id, value = '', onChange, label, tools }: Props) {
  const { t } = useTranslation('settings')
  const [isJson, setIsJson] = useState(false)
  /** With rows that are still blank, which are not part of the value. */
  const [draft, setDraft] = useState<{ links: Link[]; value: string } | null>(null)
  const links = draft && draft.value === compact(value) ? draft.links : readLinks(value)
  const change = (next: Link[]) => {
    const filled = next.filter(({ name, address }) => name !== '' || address !== '')
    const text = JSON.stringify(filled.map(({ name, address }) => ({ [name]: address })))
    setDraft({ links: next, value: text })
    onChange?.(text)
  }
  if (links === null || isJson) {
    return (
      <JsonField
        {...(id !== undefined && { id })}
        value={value}
        onChange={(text) => onChange?.(text)}
        label={label}
        isList
        blankText={t('json.blank')}
        tools={
          <>
            {links !== null && (
              <Button size="small" type="text" onClick={() => setIsJson(false)}>
                {t('chatLinks.asList')}
              </Button>
            )}
            {tools}
          </>
        }
      />
    )
  }
  const edit = (index: number, changes: Partial<Link>) =>
    change(links.map((link, at) => (at === index ? { ...link, ...changes } : link)))
  const move = (index: number, by: 1 | -1) => {
    const next = [...links]
    next.splice(index + by, 0, ...next.splice(index, 1))
    change(next)
  }
  return (
    <div>
      <ul className={styles.links} aria-label={label}>
        {links.map((link, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
          <li key={index}>
            <Input
              {...(index === 0 && id !== undefined && { id })}
              aria-label={t('chatLinks.nameOf', { number: index + 1 })}
              placeholder={t('chatLinks.name')}
              value={link.name}
              onChange={({ target }) => edit(index, { name: target.value })}
            />
            <Input
              className="mono"
              aria-label={t('chatLinks.addressOf', { number: index + 1 })}
              placeholder="https://chat.example/?key={key}&url={address}"
              spellCheck={false}
              autoComplete="off"
              value={link.address}
              onChange={({ target }) => edit(index, { address: target.value.trim() })}
            />
            <span className={styles.linkButtons}>
              <Button
                type="text"
                aria-label={t('chatLinks.up', { name: link.name })}
                icon={<ArrowUpOutlined aria-hidden />}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <Button
                type="text"
                aria-label={t('chatLinks.down', { name: link.name })}
                icon={<ArrowDownOutlined aria-hidden />}
                disabled={index === links.length - 1}
                onClick={() => move(index, 1)}
              />
              <Button
                type="text"
                aria-label={t('chatLinks.remove', { name: link.name })}
                icon={<DeleteOutlined aria-hidden />}
                onClick={() => change(links.filter((_, at) => at !== index))}
              />
            </span>
          </li>
        ))}
      </ul>
      <div className={styles.linkTools}>
        <Button
          size="small"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => change([...links, { name: '', address: '' }])}
        >
          {t('chatLinks.add')}
        </Button>
        <Button size="small" type="text" onClick={() => setIsJson(true)}>
          {t('prices.json')}
        </Button>
        {tools}
      </div>
    </div>
  )
}

/** Null if the text is no list of objects with one name and its address. */
function readLinks(text: string): Link[] | null {
  if (text.trim() === '') return []
  try {
    const list: unknown = JSON.parse(text)
    if (!Array.isArray(list)) return null
    const links = list.map((entry) => Object.entries((entry ?? {}) as Record<string, unknown>))
    if (links.some((link) => link.length !== 1 || typeof link[0]![1] !== 'string')) return null
    return links.map((link) => ({ name: link[0]![0], address: link[0]![1] as string }))
  } catch {
    return null
  }
}

/** The form formats the text after an undo. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
