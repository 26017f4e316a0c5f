package org.buftrail.benchmarks.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Fifty methods that a buffer may pass, each of which touches it. */
public final class Steps {
  /** How many there are. */
  public static final int COUNT = 50;

  /**
   * What one journey through the steps works on. A method assigns it, so that nothing that takes
   * the steps takes a buffer.
   */
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;

  /** A journey of one buffer. */
  public Steps(ByteBuf buffer) {
    begin(buffer);
  }

  private void begin(ByteBuf journey) {
    buffer = journey;
  }

  /** Passes one of them. */
  public void take(int step) {
    if (step < 25) {
      takeLow(step);
    } else {
      takeHigh(step);
    }
  }

  private void takeLow(int step) {
    switch (step) {
      case 0 -> step0(buffer);
      case 1 -> step1(buffer);
      case 2 -> step2(buffer);
      case 3 -> step3(buffer);
      case 4 -> step4(buffer);
      case 5 -> step5(buffer);
      case 6 -> step6(buffer);
      case 7 -> step7(buffer);
      case 8 -> step8(buffer);
      case 9 -> step9(buffer);
      case 10 -> step10(buffer);
      case 11 -> step11(buffer);
      case 12 -> step12(buffer);
      case 13 -> step13(buffer);
      case 14 -> step14(buffer);
      case 15 -> step15(buffer);
      case 16 -> step16(buffer);
      case 17 -> step17(buffer);
      case 18 -> step18(buffer);
      case 19 -> step19(buffer);
      case 20 -> step20(buffer);
      case 21 -> step21(buffer);
      case 22 -> step22(buffer);
      case 23 -> step23(buffer);
      case 24 -> step24(buffer);
      default -> throw new IllegalArgumentException("no step " + step);
    }
  }

  private void takeHigh(int step) {
    switch (step) {
      case 25 -> step25(buffer);
      case 26 -> step26(buffer);
      case 27 -> step27(buffer);
      case 28 -> step28(buffer);
      case 29 -> step29(buffer);
      case 30 -> step30(buffer);
      case 31 -> step31(buffer);
      case 32 -> step32(buffer);
      case 33 -> step33(buffer);
      case 34 -> step34(buffer);
      case 35 -> step35(buffer);
      case 36 -> step36(buffer);
      case 37 -> step37(buffer);
      case 38 -> step38(buffer);
      case 39 -> step39(buffer);
      case 40 -> step40(buffer);
      case 41 -> step41(buffer);
      case 42 -> step42(buffer);
      case 43 -> step43(buffer);
      case 44 -> step44(buffer);
      case 45 -> step45(buffer);
      case 46 -> step46(buffer);
      case 47 -> step47(buffer);
      case 48 -> step48(buffer);
      case 49 -> step49(buffer);
      default -> throw new IllegalArgumentException("no step " + step);
    }
  }

  private static void step0(ByteBuf buffer) {
    buffer.setByte(0, 0);
  }

  private static void step1(ByteBuf buffer) {
    buffer.setByte(1, 1);
  }

  private static void step2(ByteBuf buffer) {
    buffer.setByte(2, 2);
  }

  private static void step3(ByteBuf buffer) {
    buffer.setByte(3, 3);
  }

  private static void step4(ByteBuf buffer) {
    buffer.setByte(4, 4);
  }

  private static void step5(ByteBuf buffer) {
    buffer.setByte(5, 5);
  }

  private static void step6(ByteBuf buffer) {
    buffer.setByte(6, 6);
  }

  private static void step7(ByteBuf buffer) {
    buffer.setByte(7, 7);
  }

  private static void step8(ByteBuf buffer) {
    buffer.setByte(8, 8);
  }

  private static void step9(ByteBuf buffer) {
    buffer.setByte(9, 9);
  }

  private static void step10(ByteBuf buffer) {
    buffer.setByte(10, 10);
  }

  private static void step11(ByteBuf buffer) {
    buffer.setByte(11, 11);
  }

  private static void step12(ByteBuf buffer) {
    buffer.setByte(12, 12);
  }

  private static void step13(ByteBuf buffer) {
    buffer.setByte(13, 13);
  }

  private static void step14(ByteBuf buffer) {
    buffer.setByte(14, 14);
  }

  private static void step15(ByteBuf buffer) {
    buffer.setByte(15, 15);
  }

  private static void step16(ByteBuf buffer) {
    buffer.setByte(16, 16);
  }

  private static void step17(ByteBuf buffer) {
    buffer.setByte(17, 17);
  }

  private static void step18(ByteBuf buffer) {
    buffer.setByte(18, 18);
  }

  private static void step19(ByteBuf buffer) {
    buffer.setByte(19, 19);
  }

  private static void step20(ByteBuf buffer) {
    buffer.setByte(20, 20);
  }

  private static void step21(ByteBuf buffer) {
    buffer.setByte(21, 21);
  }

  private static void step22(ByteBuf buffer) {
    buffer.setByte(22, 22);
  }

  private static void step23(ByteBuf buffer) {
    buffer.setByte(23, 23);
  }

  private static void step24(ByteBuf buffer) {
    buffer.setByte(24, 24);
  }

  private static void step25(ByteBuf buffer) {
    buffer.setByte(25, 25);
  }

  private static void step26(ByteBuf buffer) {
    buffer.setByte(26, 26);
  }

  private static void step27(ByteBuf buffer) {
    buffer.setByte(27, 27);
  }

  private static void step28(ByteBuf buffer) {
    buffer.setByte(28, 28);
  }

  private static void step29(ByteBuf buffer) {
    buffer.setByte(29, 29);
  }

  private static void step30(ByteBuf buffer) {
    buffer.setByte(30, 30);
  }

  private static void step31(ByteBuf buffer) {
    buffer.setByte(31, 31);
  }

  private static void step32(ByteBuf buffer) {
    buffer.setByte(32, 32);
  }

  private static void step33(ByteBuf buffer) {
    buffer.setByte(33, 33);
  }

  private static void step34(ByteBuf buffer) {
    buffer.setByte(34, 34);
  }

  private static void step35(ByteBuf buffer) {
    buffer.setByte(35, 35);
  }

  private static void step36(ByteBuf buffer) {
    buffer.setByte(36, 36);
  }

  private static void step37(ByteBuf buffer) {
    buffer.setByte(37, 37);
  }

  private static void step38(ByteBuf buffer) {
    buffer.setByte(38, 38);
  }

  private static void step39(ByteBuf buffer) {
    buffer.setByte(39, 39);
  }

  private static void step40(ByteBuf buffer) {
    buffer.setByte(40, 40);
  }

  private static void step41(ByteBuf buffer) {
    buffer.setByte(41, 41);
  }

  private static void step42(ByteBuf buffer) {
    buffer.setByte(42, 42);
  }

  private static void step43(ByteBuf buffer) {
    buffer.setByte(43, 43);
  }

  private static void step44(ByteBuf buffer) {
    buffer.setByte(44, 44);
  }

  private static void step45(ByteBuf buffer) {
    buffer.setByte(45, 45);
  }

  private static void step46(ByteBuf buffer) {
    buffer.setByte(46, 46);
  }

  private static void step47(ByteBuf buffer) {
    buffer.setByte(47, 47);
  }

  private static void step48(ByteBuf buffer) {
    buffer.setByte(48, 48);
  }

  private static void step49(ByteBuf buffer) {
    buffer.setByte(49, 49);
  }
}
