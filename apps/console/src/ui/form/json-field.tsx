import { AlignLeftOutlined, FileAddOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './json-field.module.css'
import { checkJson, countList, formatJson } from '../../lib/json-text.ts'
import { Button, Input, Popconfirm } from '../kit/index.ts'

interface Props {
  /** Set by the form. */
  id?: string
  value?: string
  onChange?(text: string): void
  /** Used in the accessible names of the buttons. */
  label: string
  /** Expects a JSON array instead of an object. */
  isList?: boolean
  /** An example that a button inserts. */
  template?: string
  /** Status text of an empty field. */
  blankText?: string
  /** Further buttons below the text. */
  tools?: ReactNode
  rows?: number
}

/** A text area for JSON that validates while typing. Buttons format the text and insert a template. */
export function JsonField(props: Props) {
  const { id, value = '', onChange, label, isList = false, template, blankText, tools, rows = 4 } = props
  const { t } = useTranslation()
  const check = checkJson(value)
  const entries = isList ? countList(value) : null
  const isBroken = check.state !== 'blank' && (isList ? entries === null : check.state !== 'object')
  const write = (text: string) => onChange?.(text)
  return (
    <div className={styles.field} data-broken={isBroken || undefined}>
      <Input.TextArea
        {...(id === undefined ? { 'aria-label': label } : { id })}
        className={`mono ${styles.text}`}
        variant="borderless"
        autoSize={{ minRows: rows, maxRows: 18 }}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        {...(template !== undefined && { placeholder: template })}
        value={value}
        onChange={(event) => write(event.target.value)}
      />
      <div className={styles.tools}>
        <output className={styles.verdict}>{statusText()}</output>
        <Button
          size="small"
          type="text"
          icon={<AlignLeftOutlined aria-hidden />}
          aria-label={t('json.formatOf', { label })}
          disabled={check.state === 'blank' || check.state === 'broken'}
          onClick={() => write(formatJson(value))}
        >
          {t('json.format')}
        </Button>
        {template !== undefined && (
          <TemplateButton label={label} asks={check.state !== 'blank'} onUse={() => write(template)} />
        )}
        {tools}
      </div>
    </div>
  )

  function statusText(): string {
    if (check.state === 'blank') return blankText ?? t('json.blank')
    if (check.state === 'broken') return t('json.brokenAt', { line: check.line, column: check.column })
    if (isList) return entries === null ? t('json.notList') : t('json.valid', { count: entries })
    return check.state === 'object' ? t('json.valid', { count: check.entries }) : t('json.notObject')
  }
}

function TemplateButton({ label, asks, onUse }: { label: string; asks: boolean; onUse(): void }) {
  const { t } = useTranslation()
  const button = (
    <Button
      size="small"
      type="text"
      icon={<FileAddOutlined aria-hidden />}
      aria-label={t('json.templateOf', { label })}
      {...(!asks && { onClick: onUse })}
    >
      {t('json.template')}
    </Button>
  )
  if (!asks) return button
  return (
    <Popconfirm title={t('json.replaceTitle')} okText={t('json.replace')} cancelText={t('cancel')} onConfirm={onUse}>
      {button}
    </Popconfirm>
  )
}
