/** Signs on buttons, drawn so that they do not depend on the machine's fonts; the button's label says what they mean. */

const paths = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
  start: "M3 2.5h2v11H3zM13 2.5v11L5.5 8z",
  back: "M11.5 2.5v11L3.5 8z",
  on: "M4.5 2.5v11l8-5.5z",
  theme: "M8 1.5a6.5 6.5 0 1 0 0 13zM8 1.5a6.5 6.5 0 0 1 0 13v-1a5.5 5.5 0 0 0 0-11z",
} as const;

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="currentColor">
      <path d={paths[name]} />
    </svg>
  );
}
