/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return, typescript/no-unsafe-argument -- the inner parts of the interpreter have no types */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { parser, types } = require("@rokucommunity/brs");
const { Environment } = require("@rokucommunity/brs/lib/interpreter/Environment.js");
const { Interpreter } = require("@rokucommunity/brs/lib/interpreter/index.js");

/**
 * Thousands of runs in the interpreter would take minutes: for each call it copies every function of the program, for each return it
 * makes an error, and for each array all of its methods. This leaves out what nobody looks at.
 */
export function quickenInterpreter() {
  Environment.prototype.createSubEnvironment = subEnvironment;
  Interpreter.prototype.visitReturn = visitReturn;
  Error.stackTraceLimit = 0;
  for (const Part of [...Object.values(parser.Expr), ...Object.values(parser.Stmt)]) locateOnce(Part);
  equipLater("RoAssociativeArray", (made, members) => {
    Object.assign(made, { elements: new Map(), keyMap: new Map(), modeCaseSensitive: false });
    for (const { name, value } of members) made.set(name, value, true);
    made.enumIndex = members.length > 0 ? 0 : -1;
  });
  equipLater("RoArray", (made, elements, isResizable) => {
    const isGiven = isResizable === undefined;
    Object.assign(made, { elements: isGiven ? elements : [], maxSize: isGiven ? 0 : elements.getValue() });
    made.resizable = isGiven || isResizable.toBoolean();
    made.enumIndex = made.elements.length > 0 ? 0 : -1;
  });
}

/** No function of a program is ever defined anew, so that all calls can share them. */
function subEnvironment(includesModule = true) {
  const made = Object.create(Environment.prototype);
  made.rootM = this.rootM;
  made.global = this.global;
  made.module = includesModule ? this.module : new Map();
  made.function = new Map();
  made.mPointer = this.mPointer;
  made.mockObjects = this.mockObjects;
  made.unscopedMockFunctions = this.unscopedMockFunctions;
  made.scopedMockFunctions = includesModule ? this.scopedMockFunctions : new Map();
  made.focusedNode = this.focusedNode;
  made.nodeDefMap = this.nodeDefMap;
  made.hostNode = this.hostNode;
  return made;
}

function visitReturn({ value, tokens }) {
  const thrown = Object.create(parser.Stmt.ReturnValue.prototype);
  thrown.location = tokens.return.location;
  if (value) thrown.value = this.evaluate(value);
  throw thrown;
}

/** Where a part of a program is never changes; it is asked for at each call. */
function locateOnce(Part) {
  const located = Object.getOwnPropertyDescriptor(Part.prototype ?? {}, "location");
  if (!located?.get) return;
  Object.defineProperty(Part.prototype, "location", {
    get() {
      const value = located.get.call(this);
      Object.defineProperty(this, "location", { value });
      return value;
    },
  });
}

/**
 * Makes instances of a class without its methods, which they get when the first is asked for: its constructor then works on the
 * instance that exists, and the state of that stays.
 */
function equipLater(name, begin) {
  const module = require(`@rokucommunity/brs/lib/brsTypes/components/${name}.js`);
  const { [name]: Whole } = module;
  const Base = Object.getPrototypeOf(Whole);
  let existing = null;
  Object.setPrototypeOf(Whole, function (componentName) {
    return existing ?? Reflect.construct(Base, [componentName], Whole);
  });
  function Light(...args) {
    const made = Object.create(Whole.prototype);
    made.kind = types.ValueKind.Object;
    made.componentName = `r${name.slice(1)}`;
    begin(made, ...args);
    return made;
  }
  Light.prototype = Whole.prototype;
  module[name] = Light;
  for (const part of ["methods", "interfaces"]) {
    Object.defineProperty(Whole.prototype, part, {
      get() {
        const state = { ...this };
        for (const own of ["methods", "interfaces"])
          Object.defineProperty(this, own, { value: new Map(), writable: true });
        existing = this;
        Reflect.construct(Whole, [[]]);
        existing = null;
        Object.assign(this, state);
        return this[part];
      },
      set(value) {
        Object.defineProperty(this, part, { value, writable: true });
      },
    });
  }
}
