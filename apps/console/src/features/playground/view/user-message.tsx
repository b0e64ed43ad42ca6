import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Button, Input } from '../../../ui/kit/index.ts'
import { RowButton } from '../../../ui/table/row-button.tsx'
import { useChatActions } from '../chat/send-message.ts'
import type { Question } from '../conversation/conversation.ts'
import { deleteTurn } from '../conversation/store.ts'
import { Pictures } from './message-content.tsx'
import styles from './view.module.css'

interface Props {
  turnId: string
  question: Question
}

export function UserMessage({ turnId, question }: Props) {
  const { t } = useTranslation('playground')
  const [isEditing, setIsEditing] = useState(false)
  const { content, pictures } = question
  if (isEditing) return <MessageEditor turnId={turnId} content={content} onDone={() => setIsEditing(false)} />
  return (
    <div className={styles.question}>
      <Pictures pictures={pictures} />
      {content !== '' && <p className={styles.message}>{content}</p>}
      <div className={styles.actions}>
        <CopyButton text={content} label={t('question.copy')} />
        <RowButton label={t('question.edit')} title={t('question.edit')} onClick={() => setIsEditing(true)}>
          <EditOutlined aria-hidden />
        </RowButton>
        <RowButton label={t('question.delete')} title={t('question.delete')} onClick={() => deleteTurn(turnId)}>
          <DeleteOutlined aria-hidden />
        </RowButton>
      </div>
    </div>
  )
}

function MessageEditor({ turnId, content, onDone }: { turnId: string; content: string; onDone(): void }) {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const { editMessage } = useChatActions()
  const [text, setText] = useState(content)
  const send = () => {
    onDone()
    editMessage(turnId, text)
  }
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Input.TextArea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the editor
        autoFocus
        aria-label={t('question.edit')}
        autoSize={{ minRows: 2, maxRows: 12 }}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onDone()
        }}
      />
      <div className={styles.editorActions}>
        <span className={styles.editorHint}>{t('question.editHint')}</span>
        <Button size="small" onClick={onDone}>
          {common('cancel')}
        </Button>
        <Button size="small" type="primary" htmlType="submit" disabled={text.trim() === ''}>
          {t('question.resend')}
        </Button>
      </div>
    </form>
  )
}
