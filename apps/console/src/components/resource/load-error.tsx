import { ApiError, errorText } from '../../api/errors.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'

interface Props {
  title: string
  error: unknown
  hint?: string
  retrying?: boolean
  onRetry(): unknown
}

/** Data that could not be loaded. */
export function LoadError({ error, ...props }: Props) {
  const known = error instanceof ApiError ? error : undefined
  return (
    <ErrorState
      {...props}
      message={error ? errorText(error) : undefined}
      requestId={known?.requestId}
      code={known?.requestId && known.code} // only errors of the server are documented
      isOffline={known?.code === 'network'}
    />
  )
}
