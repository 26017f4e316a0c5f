package org.buftrail.flow.nursery;

import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TrackedBuffer;

/**
 * Lies in a slot so that the life that begins there is looked at (see {@code Looks}): each life
 * asks anyway whether its slot is empty, so all others pay nothing. For whatever else reads a slot
 * it is a buffer whose life is over.
 */
final class LookMark extends TrackedBuffer {
  static final LookMark MARK = new LookMark();

  private LookMark() {
    FlowState.setStamp(this, Stamp.ENDED_SLOT);
  }

  @Override
  public int refCnt() {
    return 0;
  }

  @Override
  public int capacity() {
    return 0;
  }

  @Override
  public boolean isDirect() {
    return false;
  }
}
