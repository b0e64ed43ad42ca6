import { AlignLeftOutlined, FileAddOutlined } from '@ant-design/icons'
import { Button, Input, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './json-field.module.css'
import { checkJson, formatJson, type JsonCheck } from './json-text.ts'

interface Props {
  /** Given by the form. */
  id?: string
  value?: string
  onChange?(text: string): void
  /** What the text is, for the names of the buttons. */
  label: string
  /** A complete example to start from. */
  template: string
  rows?: number
}

/** A JSON object as text: says at once whether and where it is broken, tidies it, and offers an example to start from. */
export function JsonField({ id, value = '', onChange, label, template, rows = 4 }: Props) {
  const { t } = useTranslation()
  const check = checkJson(value)
  const isBroken = check.state === 'broken' || check.state === 'not-object'
  const write = (text: string) => onChange?.(text)
  const insert = (
    <Button
      size="small"
      type="text"
      icon={<FileAddOutlined aria-hidden />}
      aria-label={t('json.templateOf', { label })}
      {...(check.state === 'blank' && { onClick: () => write(template) })}
    >
      {t('json.template')}
    </Button>
  )
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
        placeholder={template}
        value={value}
        onChange={(event) => write(event.target.value)}
      />
      <div className={styles.tools}>
        <output className={styles.verdict}>{verdict(check)}</output>
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
        {check.state === 'blank' ? (
          insert
        ) : (
          <Popconfirm
            title={t('json.replaceTitle')}
            okText={t('json.replace')}
            cancelText={t('cancel')}
            onConfirm={() => write(template)}
          >
            {insert}
          </Popconfirm>
        )}
      </div>
    </div>
  )

  function verdict(found: JsonCheck): string {
    switch (found.state) {
      case 'blank':
        return t('json.blank')
      case 'object':
        return t('json.valid', { count: found.entries })
      case 'not-object':
        return t('json.notObject')
      case 'broken':
        return t('json.brokenAt', { line: found.line, column: found.column })
    }
  }
}
