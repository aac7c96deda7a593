/** A vendor extension, passed on unchanged. */
export type Ext = Record<string, unknown>;

/** A banner impression (OpenRTB 2.6, section 3.2.6). */
export interface Banner {
  format?: Format[];
  w?: number;
  h?: number;
  wmax?: number;
  hmax?: number;
  wmin?: number;
  hmin?: number;
  btype?: readonly number[];
  battr?: number[];
  pos?: number;
  mimes?: string[];
  topframe?: number;
  expdir?: number[];
  api?: number[];
  id?: string;
  vcm?: number;
  ext?: Ext;
}

/** An allowed size: `w` and `h` in device-independent pixels, or a ratio (section 3.2.10). */
export interface Format {
  w?: number;
  h?: number;
  wratio?: number;
  hratio?: number;
  wmin?: number;
  ext?: Ext;
}

/** A floor by the length of a video or audio creative (2.6-202303). Durations in seconds, floor as CPM. */
export interface DurFloor {
  mindur?: number;
  maxdur?: number;
  bidfloor?: number;
  ext?: Ext;
}

/** Common fields of video and audio impressions. Durations in seconds, bit rates in Kbps. */
interface Streamed {
  mimes: string[];
  minduration?: number;
  maxduration?: number;
  startdelay?: number;
  maxseq?: number;
  poddur?: number;
  protocols?: number[];
  podid?: string;
  podseq?: number;
  rqddurs?: number[];
  sequence?: number;
  slotinpod?: number;
  mincpmpersec?: number;
  battr?: number[];
  maxextended?: number;
  minbitrate?: number;
  maxbitrate?: number;
  delivery?: number[];
  companionad?: Banner[];
  api?: number[];
  companiontype?: number[];
  durfloors?: DurFloor[];
  ext?: Ext;
}

/** A video impression (section 3.2.7). */
export interface Video extends Streamed {
  /** Deprecated in favour of `protocols`. */
  protocol?: number;
  w?: number;
  h?: number;
  /** Deprecated in favour of `plcmt`. */
  placement?: number;
  plcmt?: number;
  linearity?: number;
  skip?: number;
  skipmin?: number;
  skipafter?: number;
  boxingallowed?: number;
  playbackmethod?: number[];
  playbackend?: number;
  pos?: number;
  poddedupe?: number[];
}

/** An audio impression (section 3.2.8). */
export interface Audio extends Streamed {
  feed?: number;
  stitched?: number;
  nvol?: number;
}

/** A native impression (section 3.2.9): `request` is the Native 1.2 request as JSON text. */
export interface Native {
  request: string;
  ver?: string;
  api?: number[];
  battr?: number[];
  ext?: Ext;
}
