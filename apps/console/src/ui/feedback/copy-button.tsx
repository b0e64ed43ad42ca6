import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { App, Button, Tooltip } from '../kit/index.ts'
import styles from './copy-button.module.css'

interface Props {
  text: string
  /** Accessible name, such as "Copy key of build server". */
  label: string
  /** Visible text beside the icon. */
  words?: string
}

export function CopyButton({ text, label, words }: Props) {
  const { t } = useTranslation()
  const { message, modal } = App.useApp()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      void message.success(t('copied'))
    } catch {
      // Browsers have no clipboard API without HTTPS. The dialog shows the text to copy manually.
      modal.error({
        title: t('copyFailedTitle'),
        content: (
          <>
            <p>{t('copyFailed')}</p>
            <code className="mono">{text}</code>
          </>
        ),
      })
    }
  }
  const button = (
    <Button
      size="small"
      {...(!words && { className: styles.icon! })}
      type={words ? 'default' : 'text'}
      aria-label={label}
      icon={copied ? <CheckOutlined aria-hidden /> : <CopyOutlined aria-hidden />}
      onClick={() => void copy()}
    >
      {words}
    </Button>
  )
  return words ? button : <Tooltip title={copied ? t('copied') : t('copy')}>{button}</Tooltip>
}
