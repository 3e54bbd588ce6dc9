import { answerRequests } from '../support/generator.ts';
import { Artists, type ArtistsSpec } from './artists.ts';

/** What the process of the learners can be asked; one answer each. */
export type LoadRequest =
  | { readonly do: 'open'; readonly spec: ArtistsSpec }
  | { readonly do: 'draw'; readonly seconds: number }
  | { readonly do: 'fill'; readonly elements: number; readonly bytes: number }
  | { readonly do: 'close' };

let artists: Artists | undefined;

answerRequests(async (request: LoadRequest) => {
  if (request.do === 'open') {
    artists = new Artists(request.spec);
    return artists.open();
  }
  if (!artists) throw new Error('nobody is there');
  if (request.do === 'draw') return artists.draw(request.seconds);
  if (request.do === 'fill') return artists.fill(request.elements, request.bytes);
  return artists.close();
});
