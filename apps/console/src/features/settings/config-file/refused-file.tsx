import { useTranslation } from 'react-i18next'
import { errorText, isUnproved } from '../../../api/errors.ts'
import { serverLanguage } from '../../../lib/i18n.ts'
import { Alert } from '../../../ui/kit/index.ts'
import styles from './config-file.module.css'
import { problemsIn } from './queries.ts'

/** Why a file was not taken: all that is wrong in it by line, or one sentence about anything else. */
export function RefusedFile({ error }: { error: unknown }) {
  const { t } = useTranslation('settings')
  if (!error) return null
  const problems = problemsIn(error)
  const language = serverLanguage()
  if (problems.length === 0) {
    return <Alert type="error" showIcon title={isUnproved(error) ? t('configFile.apply.unproved') : errorText(error)} />
  }
  return (
    <Alert
      type="error"
      showIcon
      title={t('configFile.problems.title', { count: problems.length })}
      description={
        <ul className={styles.problems}>
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.place} ${problem.en}`}>
              <strong>{t('configFile.problems.line', { line: problem.line })}</strong>
              {problem.place !== '' && <code className="mono">{problem.place}</code>}
              <span>{problem[language]}</span>
            </li>
          ))}
        </ul>
      }
    />
  )
}
