package org.buftrail.flow.state;

import java.lang.ref.WeakReference;
import org.buftrail.flow.nursery.Races;
import org.jspecify.annotations.Nullable;

/** Asks buffers of a class that was not given a place for its state. */
final class PlainBuffers extends BufferAccess {
  private static final PlainBuffers ACCESS = new PlainBuffers();
  private static final Plain ALIVE = new Plain();

  /** A buffer of 1 byte. */
  static final class Plain {}

  /** The state of a buffer whose life has begun; only what is no composite needs a release. */
  static SideState begun(boolean isComposite) {
    WeakReference<Object> buffer = new WeakReference<>(ALIVE);
    SideState state = new SideState(ACCESS, buffer, 1, !isComposite, isComposite);
    FlowState.setStamp(state, Stamp.nextLife(0, 0));
    FlowState.setState(state, Races.ROOT);
    return state;
  }

  @Override
  public Class<?> type() {
    return Plain.class;
  }

  @Override
  public boolean covers(Class<?> c) {
    return c == Plain.class;
  }

  @Override
  public @Nullable Object owner(Object object) {
    return object instanceof Plain ? object : null;
  }

  @Override
  public @Nullable Object content(Object object) {
    return null;
  }

  @Override
  public int refCnt(Object owner) {
    return 1;
  }

  @Override
  public int capacity(Object owner) {
    return 1;
  }

  @Override
  public boolean isDirect(Object owner) {
    return true;
  }
}
