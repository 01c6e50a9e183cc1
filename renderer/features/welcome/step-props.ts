/** What a step tells the page, so that its button can say what going on means. */
export interface StepProps {
  /** Whether the step has what it is for; going on without is fine, and said so. */
  onReady: (ready: boolean) => void;
}
