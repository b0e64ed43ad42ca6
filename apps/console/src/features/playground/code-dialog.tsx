import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useStatus } from '../../api/status.ts'
import { Modal, Tabs } from '../../ui/kit/index.ts'
import { RichContent } from '../../ui/content/rich-content.tsx'
import { useChatSettings } from './chat/send-message.ts'
import { messagesFor, newTurn, type Conversation } from './conversation/conversation.ts'
import { codeSamples, type CodeSample } from './request-code.ts'
import styles from './toolbar.module.css'

interface Props {
  conversation: Conversation
  onClose(): void
}

/** Code that sends the last message. */
export default function CodeDialog({ conversation, onClose }: Props) {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const { server_address } = useStatus()
  const settings = useChatSettings()
  const [language, setLanguage] = useState('curl')
  const { columns } = conversation
  const { id: columnId, model } = columns[0]!
  const turns = conversation.turns.length > 0 ? conversation.turns : [newTurn(t('greeting.question'), [], columns)]
  const messages = messagesFor({ turns }, { turnId: turns.at(-1)!.id, columnId, systemPrompt: settings.system_prompt })
  const address = (server_address || window.location.origin).replace(/\/+$/, '')
  const samples = codeSamples({ address, key: 'sk-YOUR-TOKEN', model }, { messages, ...settings })
  return (
    <Modal
      open
      title={t('tools.code')}
      width={760}
      footer={null}
      closable={{ 'aria-label': common('close') }}
      onCancel={onClose}
    >
      <p className={styles.codeHint}>
        {t('code.hint')} <Link to="/app/tokens">{t('code.tokens')}</Link>
      </p>
      <Tabs
        activeKey={language}
        onChange={setLanguage}
        items={samples.map((sample) => ({ key: sample.id, label: sample.name, children: <Sample sample={sample} /> }))}
      />
    </Modal>
  )
}

function Sample({ sample: { language, text } }: { sample: CodeSample }) {
  // Longer than any fence in the text.
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return (
    <div className={styles.sample}>
      <RichContent format="markdown" showsHtml text={`${fence}${language}\n${text}\n${fence}`} />
    </div>
  )
}
