export const OWN = 'gemini-generate'
