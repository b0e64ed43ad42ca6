import { AlignLeftOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import frame from '../../../ui/json-field.module.css'
import { checkJson, formatJson } from '../../../ui/json-text.ts'

interface Props {
  id?: string
  value?: string
  onChange?(text: string): void
  label: string
  isList?: boolean
  /** More buttons beneath the text. */
  tools: ReactNode
}

/** A JSON object or list as text, which says at once whether and where it is broken. */
export function JsonEditor({ id, value = '', onChange, label, isList = false, tools }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const check = checkJson(value)
  const entries = isList ? listLength(value) : null
  const isBroken = check.state !== 'blank' && (isList ? entries === null : check.state !== 'object')
  return (
    <div className={frame.field} data-broken={isBroken || undefined}>
      <Input.TextArea
        id={id}
        className={`mono ${frame.text}`}
        variant="borderless"
        autoSize={{ minRows: 4, maxRows: 16 }}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <div className={frame.tools}>
        <output className={frame.verdict}>{verdict()}</output>
        <Button
          size="small"
          type="text"
          icon={<AlignLeftOutlined aria-hidden />}
          aria-label={common('json.formatOf', { label })}
          disabled={check.state === 'blank' || check.state === 'broken'}
          onClick={() => onChange?.(formatJson(value))}
        >
          {common('json.format')}
        </Button>
        {tools}
      </div>
    </div>
  )

  function verdict(): string {
    if (check.state === 'blank') return t('json.blank')
    if (check.state === 'broken') return common('json.brokenAt', { line: check.line, column: check.column })
    if (isList) return entries === null ? t('json.needsList') : t('json.list', { count: entries })
    return check.state === 'object' ? common('json.valid', { count: check.entries }) : common('json.notObject')
  }
}

function listLength(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.length : null
  } catch {
    return null
  }
}
