import graphUrl from '@mediapipe/selfie_segmentation/selfie_segmentation.binarypb?url';
import modelUrl from '@mediapipe/selfie_segmentation/selfie_segmentation_landscape.tflite?url';
import createWasm from '@mediapipe/selfie_segmentation/selfie_segmentation_solution_simd_wasm_bin.js';
import wasmUrl from '@mediapipe/selfie_segmentation/selfie_segmentation_solution_simd_wasm_bin.wasm?url';

/** The model's input and output size; other shapes are stretched to it. */
const WIDTH = 256;
const HEIGHT = 144;
/** The path where the graph looks for the model. */
const MODEL_PATH =
  'third_party/mediapipe/modules/selfie_segmentation/selfie_segmentation_landscape.tflite';

/** Finds the person in pictures, with MediaPipe's model for landscape pictures (decision 082). */
export interface PersonSegmenter {
  /**
   * The person as the alpha channel of a picture of 256×144; close it.
   * @throws without an answer: the background is then unknown.
   */
  segment(picture: CanvasImageSource & TexImageSource): ImageBitmap;
}

/** Downloads and starts the model; MediaPipe's own wrapper does this for pages only. */
export async function startPersonSegmenter(): Promise<PersonSegmenter> {
  const [wasm, graph, model] = await Promise.all([
    createWasm({ locateFile: () => wasmUrl }),
    download(graphUrl),
    download(modelUrl),
  ]);
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const gl = openContext(wasm, canvas);
  const solution = new wasm.SolutionWasm();
  solution.loadGraph(graph);
  solution.overrideFile(MODEL_PATH, model);
  const answer: { mask?: Texture | undefined } = {};
  const wanted = new wasm.StringList();
  wanted.push_back('segmentation_mask');
  const listener = wasm.PacketListener.implement({
    onResults: (results) => {
      answer.mask = results.get(0);
    },
  });
  solution.attachMultiListener(wanted, listener);
  chooseOptions(wasm, solution);
  const input = wasm.createTexture();
  const drawMask = maskPainter(gl);
  return {
    segment(picture) {
      answer.mask = undefined;
      gl.activeTexture(gl.TEXTURE0);
      wasm.bindTexture2d(input);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
      wasm.bindTexture2d(0);
      const packets = new wasm.PacketDataList();
      packets.pushTexture2d({
        glName: input,
        width: WIDTH,
        height: HEIGHT,
        stream: 'input_frames_gpu',
        timestamp: performance.now() * 1_000,
      });
      solution.send(packets);
      packets.delete();
      const mask = answer.mask as Texture | undefined;
      if (mask === undefined || gl.isContextLost()) throw new Error('the model has not answered');
      wasm.bindTexture2d(mask.glName);
      drawMask();
      wasm.bindTexture2d(0);
      return canvas.transferToImageBitmap();
    },
  };
}

async function download(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.arrayBuffer();
}

function openContext(wasm: Wasm, canvas: OffscreenCanvas): WebGL2RenderingContext {
  wasm.canvas = canvas;
  const handle = wasm.GL.createContext(canvas, { majorVersion: 2, antialias: false, alpha: true });
  wasm.GL.makeContextCurrent(handle);
  const gl = wasm.GL.getContext(handle)?.GLctx;
  if (!gl) throw new Error('there is no WebGL 2');
  return gl;
}

/** The landscape model on the CPU: few GPUs of cheap laptops are faster. */
function chooseOptions(wasm: Wasm, solution: Solution): void {
  const options = new wasm.GraphOptionChangeRequestList();
  const none = { calculatorName: '', calculatorIndex: 0, valueString: '', valueNumber: 0 };
  options.push_back({
    ...none,
    calculatorType: 'InferenceCalculator',
    fieldName: 'use_cpu_inference',
    valueBoolean: true,
  });
  options.push_back({
    ...none,
    calculatorType: 'ConstantSidePacketCalculator',
    calculatorName: 'ConstantSidePacketCalculatorModelSelection',
    fieldName: 'int_value',
    valueNumber: 1,
    valueBoolean: false,
  });
  solution.changeOptions(options);
  options.delete();
}

const VERTEX = `attribute vec2 corner;
varying vec2 place;
void main() {
  place = vec2(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;
/** The model is unsure along edges: a probability of half or less counts as background. */
const FRAGMENT = `precision mediump float;
varying vec2 place;
uniform sampler2D mask;
void main() {
  float person = smoothstep(0.5, 0.9, texture2D(mask, place).r);
  gl_FragColor = vec4(person);
}`;

/** Draws the bound texture onto the whole canvas. */
function maskPainter(gl: WebGL2RenderingContext): () => void {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind);
    if (shader === null) throw new Error('there is no shader');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(String(gl.getProgramInfoLog(program)));
  }
  const corners = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, corners);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  const corner = gl.getAttribLocation(program, 'corner');
  return () => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, WIDTH, HEIGHT);
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.enableVertexAttribArray(corner);
    gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disableVertexAttribArray(corner);
  };
}

type Wasm = Awaited<ReturnType<typeof createWasm>>;
type Solution = InstanceType<Wasm['SolutionWasm']>;
interface Texture {
  readonly glName: number;
}
