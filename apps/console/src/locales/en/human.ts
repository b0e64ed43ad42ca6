export default {
  label: 'Human check',
  loading: 'Loading the human check…',
  failed: 'The human check did not load. Check your connection and retry.',
  retry: 'Retry',
  waiting: 'Please retry in a few seconds, Turnstile is checking the user environment',
}
