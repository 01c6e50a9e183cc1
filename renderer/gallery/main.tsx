/** The gallery's entry: every component of renderer/ui in every state. Only the dev server has this page; the app does not contain it. */
import '../ui/theme.css';
import '../ui/base.css';
import { createRoot } from 'react-dom/client';
import { Gallery } from './gallery.tsx';

const place = document.getElementById('page');
if (!place) throw new Error('index.html has no #page');
createRoot(place).render(<Gallery asked={new URLSearchParams(location.search)} />);
