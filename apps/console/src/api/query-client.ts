import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, errorText, isEditConflict, isUnproved, isUnreachable } from './errors.ts'

import { toast } from '../lib/toast.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** `showsErrors`: the screen shows the refusal itself, so no toast is needed. */
    mutationMeta: { showsErrors?: boolean }
  }
}

/** Server state. A failed change is told by a toast; a failed first load is told by the screen that wanted it. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const isTold = isKnown(error) || isUnreachable(error) // a banner says that the server is away, for all of them
        if (query.state.data !== undefined && !isTold) toast.error(errorText(error))
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        if (!mutation.meta?.showsErrors && !isKnown(error)) toast.error(errorText(error))
      },
    }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: retryable, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  })
}

/**
 * No toast: the login screen explains an expired session, the security page a missing second factor, the form an edit
 * conflict, and the user has closed the dialog for re-authentication.
 */
const isKnown = (error: unknown) =>
  error instanceof ApiError &&
  (error.status === 401 || error.code === 'admin_second_factor_required' || isUnproved(error) || isEditConflict(error))

/** Only what may mend itself is asked again: no answer, or a server that says it is not available. */
function retryable(failures: number, error: unknown): boolean {
  const passing = error instanceof ApiError && (error.status === 0 || [502, 503, 504].includes(error.status))
  return passing && failures < 2
}
